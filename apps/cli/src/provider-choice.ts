// From what a person names to a provider: one that comes with the harness, a recording that is played again, or a module. What is
// recorded with the run is enough for any later process to choose the same.
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Provider } from "@harness/spec";
import { type BuiltIn, builtInSpecifier, findBuiltIn, makeBuiltIn, readBuiltIn } from "./built-in-provider.js";
import type { Terminal } from "./process-terminal.js";
import { loadProvider, locateProvider } from "./provider-module.js";

const replayScheme = "replay:";

/** A provider, and the words by which it is found again. */
export interface ChosenProvider {
  readonly provider: Provider;
  readonly label: string;
  /** Where it is one of the harness's own: whom it asks. */
  readonly note?: string;
}

/**
 * What `openProvider` takes for what a person named: a built-in name wins over a module, and a module that is called like one is
 * named by its path. `model` is the contract's. Throws `ConfigError` for a path without a file.
 */
export async function chooseProvider(
  given: string,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
  model?: string,
): Promise<string> {
  if (given.startsWith(replayScheme) || readBuiltIn(given)) return given;
  const builtIn = await findBuiltIn(given, env, model);
  return builtIn ? builtInSpecifier(builtIn) : locateProvider(given, cwd);
}

/** What `openProvider` takes for the recording in `file`. */
export function replayOf(file: string, { cwd }: Pick<Terminal, "cwd">): string {
  return `${replayScheme}${pathToFileURL(resolve(cwd, file)).href}`;
}

/** Where the answers of a provider are kept. */
export interface Recording {
  /** Absolute. */
  readonly path: string;
  /** A run that is gone on with goes on with its recording; without it a file that is there is left alone. */
  readonly existing?: "append";
}

/** Throws `ConfigError` when there is no provider to be had. */
export async function openProvider(
  specifier: string,
  { env }: Pick<Terminal, "env">,
  recording?: Recording,
): Promise<ChosenProvider> {
  const chosen = await opened(specifier, env);
  if (!recording) return chosen;
  const { record } = await import("@harness/providers/record");
  return { ...chosen, provider: record(chosen.provider, { ...recording, environment: env }) };
}

async function opened(specifier: string, env: Terminal["env"]): Promise<ChosenProvider> {
  const builtIn = readBuiltIn(specifier);
  if (builtIn) return openedBuiltIn(builtIn, await makeBuiltIn(builtIn, env));
  if (!specifier.startsWith(replayScheme)) return { provider: await loadProvider(specifier), label: specifier };
  const { replay } = await import("@harness/providers/replay");
  const path = fileURLToPath(specifier.slice(replayScheme.length));
  return {
    provider: replay({ path, environment: env }),
    label: specifier,
    note: `Answers come from the recording ${path}.`,
  };
}

function openedBuiltIn(builtIn: BuiltIn, provider: Provider): ChosenProvider {
  // The model may have come out of the environment, which another process need not have.
  const label = builtInSpecifier({ ...builtIn, model: builtIn.model ?? provider.model });
  const addresses = provider.endpoints.map(({ target }) => target).join(", ");
  const model = provider.model === undefined ? "The model" : provider.model;
  const note = `${model} is asked at ${addresses}. Naming it lets the provider dial there, and gives tools and commands nothing.`;
  return { provider, label, note };
}
