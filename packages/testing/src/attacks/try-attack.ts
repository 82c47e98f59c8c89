// One attack on one sandbox: a scene for it, the command, and the verdict. An attack that a sandbox does not claim to stop, and that
// was stopped all the same, is tried once more without any sandbox: it may be the machine that refuses it to everybody.
import { dirname } from "node:path";
import type { Enforcement, Sandbox, SandboxCommand, SandboxSource } from "@harness/spec";
import type { Attack, AttackFacts, Attempt } from "./attack.js";
import { usualLimits } from "./cap-attacks.js";
import { undoneWork, workLine, workNeeds } from "./legitimate-work.js";
import { runPlain } from "./plain-command.js";
import { openScene, type Scene } from "./scene.js";
import { findTools, lacking, type Tools } from "./tools.js";

/** What came of one attack, or of the work that no sandbox may stop (`work`). */
export interface AttackResult {
  readonly id: string;
  readonly title: string;
  /** The fields of `Enforcement` that say whether it is stopped, and, of these, those that say it is not. */
  readonly fields: readonly (keyof Enforcement)[];
  readonly openFields: readonly (keyof Enforcement)[];
  /** What follows from what the sandbox says that it enforces. */
  readonly expected: "stopped" | "succeeded";
  /** `failed`: the sandbox did not run the command to its end, so that nothing can be said. */
  readonly result: "stopped" | "succeeded" | "not-tried" | "failed";
  /** What was seen, or why it was not tried. */
  readonly evidence: string;
}

/** A sandbox for every attack, or one that is asked for with each scene's workspace and closed behind it. */
export type AttackedSandbox = Sandbox | SandboxSource;

export interface Trial {
  readonly sandbox: AttackedSandbox;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Looked for once, by whoever comes first. */
  tools?: Promise<Tools>;
}

const longestMs = 90_000;

/** Never rejects, but for an aborted signal. */
export async function tryAttack(one: Attack, trial: Trial): Promise<AttackResult> {
  const facts = { id: one.id, title: one.title, fields: one.fields };
  return inScene(trial, async (scene, sandbox, tools): Promise<AttackResult> => {
    const openFields = one.claims.filter((claim) => !claim.holds(sandbox.enforces)).map(({ field }) => field);
    const expected = openFields.length === 0 ? "stopped" : "succeeded";
    const verdict = await judge(one, { scene, sandbox, tools, signal: trial.signal });
    const result = { ...facts, openFields, expected, ...verdict } as const;
    if (result.result !== "stopped" || expected === "stopped") return result;
    return (await succeedsPlainly(one, trial, tools))
      ? result
      : { ...result, result: "not-tried", evidence: "this machine refuses it to every command" };
  }).catch((error) => {
    trial.signal?.throwIfAborted();
    return { ...facts, openFields: [], expected: "stopped", result: "failed", evidence: messageOf(error) };
  });
}

/** Does what every sandbox must let a command do. */
export async function tryWork(trial: Trial): Promise<AttackResult> {
  const facts = {
    id: "work",
    title: "do honest work: write, commit, run programs, use a cache",
    fields: [],
    openFields: [],
  };
  const expected = "succeeded";
  return inScene(trial, async (scene, sandbox, tools): Promise<AttackResult> => {
    const reason = lacking(workNeeds, tools);
    if (reason) return { ...facts, expected, result: "not-tried", evidence: reason };
    const outcome = await sandbox.run(commandOf({ line: workLine }, scene, tools, trial.signal));
    trial.signal?.throwIfAborted();
    const undone = undoneWork({ scene, outcome });
    if (undone) return { ...facts, expected, result: "stopped", evidence: undone };
    return { ...facts, expected, result: "succeeded", evidence: "all of it was done" };
  }).catch((error) => {
    trial.signal?.throwIfAborted();
    return { ...facts, expected, result: "failed", evidence: messageOf(error) };
  });
}

async function inScene<T>(
  trial: Trial,
  body: (scene: Scene, sandbox: Sandbox, tools: Tools) => Promise<T>,
): Promise<T> {
  trial.signal?.throwIfAborted();
  await using scene = await openScene(trial.folder);
  const isShared = typeof trial.sandbox !== "function";
  const needs = { workspace: scene.workspace, mode: "workspace-write", egress: "deny" } as const;
  const sandbox = typeof trial.sandbox === "function" ? await trial.sandbox(needs) : trial.sandbox;
  try {
    trial.tools ??= findTools(sandbox, scene.workspace, trial.signal);
    return await body(scene, sandbox, await trial.tools);
  } finally {
    if (!isShared) await sandbox.close?.();
  }
}

interface Stage {
  readonly scene: Scene;
  readonly sandbox: Pick<Sandbox, "run">;
  readonly tools: Tools;
  readonly signal: AbortSignal | undefined;
}

async function judge(one: Attack, stage: Stage): Promise<Pick<AttackResult, "result" | "evidence">> {
  const { scene, sandbox, tools, signal } = stage;
  const reason = lacking(one.needs ?? [], tools) ?? one.unless?.();
  if (reason) return { result: "not-tried", evidence: reason };
  const attempt = { scene, outcome: await sandbox.run(commandOf(one, scene, tools, signal)) };
  signal?.throwIfAborted();
  const { text } = attempt.outcome.stdout;
  if (!text.startsWith(lineBegins)) return { result: "failed", evidence: `it did not begin: ${wordsOf(attempt)}` };
  const breach = await one.breach(attempt);
  if (breach !== undefined) return { result: "succeeded", evidence: breach };
  const isWhole = one.mayBeCutShort || text.trimEnd().endsWith(lineEnds);
  if (!isWhole) return { result: "failed", evidence: `it was cut short: ${wordsOf(attempt)}` };
  return { result: "stopped", evidence: wordsOf(attempt) };
}

/** Printed around what a line prints: a command that did not run, or not to its end, was stopped by nobody's boundary. */
const [lineBegins, lineEnds] = ["LINE-BEGINS", "LINE-ENDS"];

function commandOf(
  { line, limits = usualLimits, timeoutMs = longestMs }: Pick<AttackFacts, "line" | "limits" | "timeoutMs">,
  { workspace, home, cache, variables }: Scene,
  { python }: Tools,
  signal: AbortSignal | undefined,
): SandboxCommand {
  return {
    argv: ["sh", "-c", `echo ${lineBegins}\n${line}\necho ${lineEnds}`],
    ...{ cwd: workspace, workspace, mode: "workspace-write", egress: "deny", limits, timeoutMs },
    env: { ...variables, PYTHON: python },
    writableRoots: [cache],
    hiddenPaths: [`${home}/.ssh`],
    ...(signal && { signal }),
  };
}

async function succeedsPlainly(one: Attack, { folder, signal }: Trial, tools: Tools): Promise<boolean> {
  await using scene = await openScene(folder);
  const { result } = await judge(one, { scene, sandbox: { run: runPlain as Sandbox["run"] }, tools, signal });
  return result === "succeeded";
}

/** What stopped a command, in its own words: the cap that ended it, or the first thing it complained of. */
function wordsOf({ scene, outcome }: Attempt): string {
  const { capHit, stopped, stderr, stdout } = outcome;
  if (capHit) return `ended at its cap (${capHit})`;
  if (stopped) return `ended: ${stopped}`;
  const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
  const said = linesOf(stdout.text).filter((line) => line !== "" && line !== lineBegins && line !== lineEnds);
  const words = linesOf(stderr.text).find((line) => line !== "") ?? said.at(-1) ?? "nothing came of it";
  return words.replaceAll(`${dirname(scene.workspace)}/`, "").slice(0, 160);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
