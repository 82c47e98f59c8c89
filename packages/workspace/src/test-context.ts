// What the tests of this package stand on: a real folder with a way out of it, and a call made as a run makes it, from the
// arguments through the acts to the answer. Not exported.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  Act,
  JudgedAct,
  LookContext,
  Probe,
  Sandbox,
  SandboxCommand,
  SandboxOutcome,
  Tool,
  ToolContext,
  ToolResult,
} from "@harness/spec";
import { callId, isStandardSchema, runId, SandboxError } from "@harness/spec";

export interface TestFolder extends AsyncDisposable {
  /** The workspace root. */
  readonly root: string;
  /** A folder beside it, which no tool may reach. */
  readonly outside: string;
}

/** A workspace with `files` (path to content). */
export async function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TestFolder> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "workspace-")));
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  await Promise.all([mkdir(root), mkdir(outside)]);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return { root, outside, [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }) };
}

export interface Calling {
  readonly workspace: string;
  readonly signal?: AbortSignal;
  /** Default: everything. */
  readonly visible?: (path: string) => boolean;
  /** Happens after the call was judged and before it is made. */
  readonly meanwhile?: () => Promise<unknown>;
  /** Instead of what `acts` said. */
  readonly granted?: readonly JudgedAct[];
  readonly kept?: Readonly<Record<string, Uint8Array | null>>;
  readonly keep?: ToolContext["keep"];
  readonly sandbox?: Sandbox;
  readonly env?: readonly string[];
  readonly progress?: (text: string) => void;
}

/** Makes a call as a run does. Rejects with what the tool throws; wrong arguments reject with "Invalid arguments: …". */
export async function call<Input>(tool: Tool<Input>, args: unknown, calling: Calling): Promise<ToolResult> {
  const input = await parse(tool, args);
  const granted = calling.granted ?? (await grant(tool, input, calling));
  await calling.meanwhile?.();
  return tool.invoke(input, contextOf(calling, granted));
}

/** What a call would do, as `acts` says. */
export async function actsOf<Input>(tool: Tool<Input>, args: unknown, calling: Calling): Promise<readonly Act[]> {
  return tool.acts?.(await parse(tool, args), contextOf(calling, [])) ?? [];
}

/** Asks what became of a call that had been granted what its `acts` said before `meanwhile`. */
export async function probe<Input>(tool: Tool<Input>, args: unknown, calling: Calling): Promise<Probe | undefined> {
  const input = await parse(tool, args);
  const granted = calling.granted ?? (await grant(tool, input, calling));
  await calling.meanwhile?.();
  return tool.probe?.(input, contextOf(calling, granted));
}

/** A sandbox that answers every command with `outcome` and remembers what it was given. */
export function fakeSandbox(
  outcome: Partial<SandboxOutcome> | SandboxError = {},
): Sandbox & { readonly commands: readonly SandboxCommand[] } {
  const commands: SandboxCommand[] = [];
  const none = { text: "", elidedBytes: 0 };
  return {
    spec: 1,
    backend: "test-double",
    enforces: {} as never,
    commands,
    async run(command) {
      commands.push(command);
      if (outcome instanceof SandboxError) throw outcome;
      const ended = { exitCode: 0, signal: null, capHit: null, stopped: null, stdout: none, stderr: none, wallMs: 1 };
      command.onOutput?.("stdout", outcome.stdout?.text ?? "");
      return { backend: "test-double", argv: command.argv, ...ended, ...outcome };
    },
    spawn: () => Promise.reject(new SandboxError("setup-failed", "The double runs commands only.")),
  };
}

async function parse<Input>(tool: Tool<Input>, args: unknown): Promise<Input> {
  if (!isStandardSchema(tool.input)) throw new Error(`${tool.name} has no schema that can parse.`);
  const parsed = await tool.input["~standard"].validate(args);
  if (!parsed.issues) return parsed.value;
  throw new Error(`Invalid arguments: ${parsed.issues.map(({ message }) => message).join("; ")}`);
}

async function grant<Input>(tool: Tool<Input>, input: Input, calling: Calling): Promise<readonly JudgedAct[]> {
  const acts = (await tool.acts?.(input, contextOf(calling, []))) ?? [];
  return acts.map((act) => ({ act, verdict: { effect: "allow" } }));
}

function contextOf(calling: Calling, granted: readonly JudgedAct[]): ToolContext & LookContext {
  const { workspace, signal = new AbortController().signal, visible = () => true } = calling;
  return {
    runId: runId("test-run"),
    call: callId(1, 1),
    id: "test-run/1.1",
    workspace,
    signal,
    visible,
    granted,
    kept: async (path) => calling.kept?.[path],
    keep: calling.keep ?? (async () => undefined),
    sandbox: calling.sandbox ?? fakeSandbox(),
    execTimeoutMs: 900_000,
    env: calling.env ?? [],
    progress: calling.progress ?? (() => undefined),
  };
}
