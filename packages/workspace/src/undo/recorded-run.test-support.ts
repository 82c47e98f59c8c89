// A run whose log is what a real one would be: the package's own tools are called, and what they keep and change is recorded as a
// driver records it.
import {
  type AnyTool,
  callId,
  genesis,
  type NewEvent,
  type PolicyData,
  type Redactor,
  type RunEvent,
  type RunId,
  redactor,
  runId,
  seal,
  sha256,
  type ToolResult,
} from "@harness/spec";
import { actsOf, call, type TestFolder, testFolder } from "../test-context.js";
import { writeFileTool } from "../tools/write-file.js";
import { type ArrayStore, arrayStore } from "./array-store.test-support.js";

export const allowing: PolicyData = {
  layers: [],
  defaults: { read: "allow", write: "allow", exec: "allow", net: "deny" },
};

export interface RecordedRun extends TestFolder {
  readonly run: RunId;
  readonly store: ArrayStore;
  /** Makes the next call of `step` (default: the last one). */
  make(tool: AnyTool, args: unknown, step?: number): Promise<ToolResult>;
  /** `make` with `write_file`. */
  write(path: string, content: string, step?: number): Promise<ToolResult>;
  record(...events: readonly NewEvent[]): Promise<void>;
  /** What was recorded of one type, words included. */
  recorded<Type extends RunEvent["type"]>(type: Type): readonly Extract<RunEvent, { type: Type }>[];
}

export interface RecordingOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly policy?: PolicyData;
  readonly secrets?: ReadonlyMap<string, string>;
  /** Shares the folder and the store of another run. */
  readonly beside?: RecordedRun;
  readonly id?: string;
}

export async function recordedRun(options: RecordingOptions = {}): Promise<RecordedRun> {
  const { files, policy = allowing, beside, id = "run-1" } = options;
  const folder = beside ?? (await testFolder(files));
  const store = beside?.store ?? arrayStore();
  const run = runId(id);
  const redact = redactor(options.secrets);
  await store.create({ id: run, root: run, parent: null, createdAt: 1, workspace: folder.root });
  const counts = new Map<number, number>();
  let current = 1;

  async function record(...events: readonly NewEvent[]): Promise<void> {
    const stream = store.eventsOf(run);
    for (const event of events) {
      const head = stream.at(-1) ?? genesis(run);
      const stamped = { ...event, seq: head.seq + 1, at: 1_000 + head.seq } as RunEvent;
      stream.push(seal(head, stamped, redact).stored);
    }
  }

  async function make(tool: AnyTool, args: unknown, step = current): Promise<ToolResult> {
    const index = (counts.get(step) ?? 0) + 1;
    counts.set(step, index);
    current = step;
    const id = callId(step, index);
    const workspace = folder.root;
    const acts = (await actsOf(tool, args, { workspace })).map((act) => ({
      act,
      verdict: { effect: "allow" } as const,
    }));
    await record({ type: "tool.started", step, call: id, acts });
    const result = await call(tool, args, {
      workspace,
      keep: async (path, bytes) => {
        if (!recorded("file.kept").some((kept) => kept.path === path)) await record(await kept(step, id, path, bytes));
      },
    });
    const changes = (result.changes ?? []).map(({ diff: _, ...change }) => change);
    const content = { text: result.text, diffs: (result.changes ?? []).map(({ diff }) => diff ?? null) };
    await record({
      type: "tool.finished",
      step,
      call: id,
      status: "ok",
      changed: changes.length > 0,
      changes,
      content,
    });
    return result;
  }

  async function kept(
    step: number,
    id: ReturnType<typeof callId>,
    path: string,
    bytes: Uint8Array | null,
  ): Promise<NewEvent> {
    const { state, text } = keepable(bytes, redact);
    if (state === "binary" && bytes) await store.blobs.put(bytes);
    const digest = bytes && sha256(bytes);
    return { type: "file.kept", step, call: id, path, state, digest, bytes: bytes?.length ?? 0, content: { text } };
  }

  function recorded<Type extends RunEvent["type"]>(type: Type) {
    const events = store.eventsOf(run).map(({ facts, content }) => {
      const event = JSON.parse(facts);
      return (content === null ? event : { ...event, content: JSON.parse(content) }) as RunEvent;
    });
    return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
  }

  const started = { type: "run.started", step: 0, run, root: run, parent: null, workspace: folder.root, policy };
  await record(started as unknown as NewEvent);
  const write = (path: string, content: string, step?: number) => make(writeFileTool(), { path, content }, step);
  return { ...folder, run, store, make, write, record, recorded };
}

function keepable(bytes: Uint8Array | null, redact: Redactor) {
  if (bytes === null) return { state: "absent", text: null } as const;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (redact.text(text) !== text) return { state: "unkept", text: null } as const;
    return { state: "text", text } as const;
  } catch {
    return { state: "binary", text: null } as const;
  }
}

/** The log after retention: the words are gone, and the facts and digests stay. */
export function archive({ store, run }: RecordedRun): void {
  const stream = store.eventsOf(run);
  stream.splice(0, stream.length, ...stream.map((event) => ({ ...event, content: null })));
}
