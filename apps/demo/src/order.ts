// The task: the project to repair, what the agent may do to it, and how it is known to be done.
import { cp, mkdir, mkdtemp } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultStorePath } from "@harness/store-sqlite";
import { type ContractInput, command, Policy, workspace } from "io-harness";

/** Copies the project to a folder of its own beside the store. Resolves to its path. */
export async function copyProject(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const home = resolve(dirname(defaultStorePath(env)), "demo");
  await mkdir(home, { recursive: true });
  const folder = await mkdtemp(join(home, "talks-"));
  // One level up from the sources and from the built files alike.
  await cp(fileURLToPath(new URL("../project", import.meta.url)), folder, { recursive: true });
  return folder;
}

/** Enough for any model that gets there at all, and an end to what it may cost. */
export const liveLimits = { maxSteps: 20, maxTokens: 400_000 };

/** `model` names the one to ask, where it is not the provider's own choice. */
export function contractFor(
  folder: string,
  { isScripted, model }: { readonly isScripted: boolean; readonly model?: string | undefined },
): ContractInput {
  return workspace(folder, {
    ...(model === undefined ? {} : { model }),
    goal: "`npm test` fails: the agenda shows wrong times. Find out why, and make it pass.",
    verify: command("npm", "test"),
    replayable: ["npm test"],
    limits: isScripted ? { maxSteps: 8 } : liveLimits,
  });
}

/** The tests and the way they are started are out of reach: they judge. */
export function demoPolicy(): Policy {
  return Policy.standard()
    .layer("demo")
    .allowRead("*")
    .allowWrite("src/*")
    .denyWrite("test/*", "package.json")
    .allowExec("npm", "npm test*");
}
