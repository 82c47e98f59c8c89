// The log of one tree: a file of JSON lines that is only ever appended to. Whether a line counts is decided by those before it, so
// any number of processes may append without asking one another: whoever reads comes to the same answer. A line begins with a line
// feed as well as it ends with one, so what a crash left of the last line stays a line of its own, which does not count.
import { type FileHandle, open } from "node:fs/promises";
import { type Answer, type Lease, type RunId, type StoredEvent, StoreError } from "@harness/spec";

/** `id` tells whose line it was: two may say the same. */
export type Line = { readonly id: string } & (
  | { readonly lease: Lease; readonly at: number }
  | { readonly released: Lease }
  | { readonly lease: Lease; readonly at: number; readonly run: RunId; readonly events: readonly StoredEvent[] }
  | { readonly run: RunId; readonly answer: Answer }
);

export interface TreeState {
  lease: (Lease & { readonly renewedAt: number; readonly isFree: boolean }) | undefined;
  readonly events: Map<RunId, StoredEvent[]>;
  readonly answers: Map<RunId, Answer[]>;
}

export interface TreeLog {
  /** The tree as it is now. */
  look(): Promise<TreeState>;
  /** Appends durably what `decide` returns, having looked at the tree. Resolves to whether it counts. */
  write(decide: (state: TreeState) => Omit<Line, "id">): Promise<boolean>;
}

export function treeLog(path: string, newId: () => string): TreeLog {
  const state: TreeState = { lease: undefined, events: new Map(), answers: new Map() };
  let offset = 0;
  let counted = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: what was read is folded once. */
  function inTurn<Value>(work: (file: FileHandle) => Promise<Value>): Promise<Value> {
    const done = turn.then(async () => {
      const file = await open(path, "a+", 0o600);
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    });
    turn = done.catch(() => {});
    return done;
  }

  async function refresh(file: FileHandle): Promise<TreeState> {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(size - offset);
    await file.read(bytes, 0, bytes.length, offset);
    const end = bytes.lastIndexOf("\n") + 1;
    offset += end;
    for (const text of bytes.toString("utf8", 0, end).split("\n")) {
      const line = text === "" ? undefined : parse(text);
      if (line && fold(state, line, path)) counted.add(line.id);
    }
    return state;
  }

  return {
    look: () => inTurn(refresh),
    write: (decide) =>
      inTurn(async (file) => {
        const line = { ...decide(await refresh(file)), id: newId() };
        counted = new Set();
        const bytes = Buffer.from(`\n${JSON.stringify(line)}\n`);
        const { bytesWritten } = await file.write(bytes);
        if (bytesWritten < bytes.length) throw new StoreError("full", `Could not append to ${path}: the disk is full.`);
        await file.sync();
        await refresh(file);
        return counted.has(line.id);
      }),
  };
}

/** `undefined` for what a crash left of a line. */
function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** Takes `line` into the state; false when it does not count. */
function fold(state: TreeState, line: Line, path: string): boolean {
  if ("released" in line) {
    if (!isHeld(state, line.released) || !state.lease) return false;
    state.lease = { ...state.lease, isFree: true };
    return true;
  }
  if ("answer" in line) {
    const inbox = listOf(state.answers, line.run);
    return !inbox.some(({ request }) => request === line.answer.request) && inbox.push(line.answer) > 0;
  }
  if (!("events" in line)) return foldLease(state, line.lease, line.at);
  return isHeld(state, line.lease) && foldEvents(state, line, path);
}

function foldLease(state: TreeState, lease: Lease, at: number): boolean {
  const { lease: held } = state;
  if (held?.owner === lease.owner && !held.isFree ? held.generation !== lease.generation : !isNext(held, lease, at))
    return false;
  state.lease = { ...lease, renewedAt: at, isFree: false };
  return true;
}

/** Whoever wrote the line has looked before; this is for those who looked at the same moment. */
function isNext(held: TreeState["lease"], lease: Lease, at: number): boolean {
  return (
    lease.generation === (held?.generation ?? 0) + 1 && (!held || held.isFree || at >= held.renewedAt + held.ttlMs)
  );
}

function foldEvents(state: TreeState, line: Extract<Line, { events: unknown }>, path: string): boolean {
  const events = listOf(state.events, line.run);
  const [first] = line.events;
  if (first && first.seq > events.length + 1) {
    throw new StoreError(
      "corrupt",
      `Could not read ${path}: events before ${first.seq} of run ${line.run} are damaged.`,
    );
  }
  if (first && first.seq !== events.length + 1) return false;
  for (const event of line.events) events.push(event);
  if (state.lease) state.lease = { ...state.lease, renewedAt: line.at };
  return true;
}

export function isHeld({ lease }: TreeState, { owner, generation }: Lease): boolean {
  return lease?.owner === owner && lease.generation === generation && !lease.isFree;
}

function listOf<Item>(lists: Map<RunId, Item[]>, run: RunId): Item[] {
  const list = lists.get(run) ?? [];
  lists.set(run, list);
  return list;
}
