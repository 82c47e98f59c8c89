// Which programs commands will find, asked through the sandbox as a command would. None is missed: what a run needs is its
// workspace's affair.
import { isHarnessError } from "@harness/spec";
import { clip } from "../render/printable.js";
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";
import { type ToolProbe, toolEnvironment, toolProbes } from "./tool-list.js";

/** Asked at the same time. Some tools start a virtual machine to say who they are. */
const mostAtOnce = 4;
const toolTimeoutMs = 4_000;

export type ToolAnswer =
  /** `null` for a version that could not be made out. */
  | { readonly name: string; readonly type: "found"; readonly version: string | null }
  | { readonly name: string; readonly type: "missing" }
  | { readonly name: string; readonly type: "broken"; readonly reason: string };

export const toolsCheck: Check = {
  title: "Tools",
  examine: async (machine) => toolsReport(await askAll(machine, toolProbes)),
};

async function askAll(machine: Machine, probes: readonly ToolProbe[]): Promise<readonly ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  const waiting = probes.entries();
  const worker = async () => {
    for (const [index, probe] of waiting) answers[index] = await ask(machine, probe);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));
  return answers;
}

async function ask({ sandbox, folder, signal }: Machine, { name, argv }: ToolProbe): Promise<ToolAnswer> {
  try {
    const { exitCode, stopped, stdout, stderr } = await sandbox.run({
      argv,
      cwd: folder,
      env: toolEnvironment,
      mode: "read-only",
      timeoutMs: toolTimeoutMs,
      signal,
    });
    if (stopped) return { name, type: "broken", reason: `no answer within ${toolTimeoutMs / 1_000} s` };
    if (exitCode !== 0) return { name, type: "broken", reason: clip(stderr.text || `exited ${exitCode}`, 80) };
    return { name, type: "found", version: versionIn(stdout.text || stderr.text) };
  } catch (error) {
    const isMissing = isHarnessError(error) && error.code === "sandbox-failed" && error.kind === "unavailable";
    return isMissing
      ? { name, type: "missing" }
      : { name, type: "broken", reason: clip((error as Error).message, 120) };
  }
}

/** The first thing in `text` that looks like a version: of `git version 2.43.0` it is `2.43.0`. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+(?:[.\w+-]*\w)?/.exec(text)?.[0] ?? null;
}

function toolsReport(answers: readonly ToolAnswer[]): Report {
  const found = answers.flatMap((answer) => (answer.type === "found" ? [answer] : []));
  const missing = answers.flatMap((answer) => (answer.type === "missing" ? [answer.name] : []));
  const broken = answers.flatMap((answer) => (answer.type === "broken" ? [answer] : []));
  const names = found.map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  const findings: readonly Finding[] = [
    { status: "plain", name: "found", text: names.join(", ") || "none" },
    ...(missing.length === 0 ? [] : [{ status: "plain", name: "not found", text: missing.join(", ") } as const]),
    ...broken.map(
      ({ name, reason }): Finding => ({ status: "note", name, text: `is there, and does not work: ${reason}` }),
    ),
  ];
  return { findings, facts: { tools: answers } };
}
