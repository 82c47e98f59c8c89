// A store in a folder, as unlike SQLite as can be: a file of JSON lines for each tree, a file for each record and each blob. It is
// for tests, and for whoever wants to see what a store comes to. It offers no upkeep and takes no owner for dead.
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Answer,
  type BlobStore,
  genesis,
  LeaseLostError,
  RunConflictError,
  type RunHead,
  type RunId,
  type RunQuery,
  type RunRecord,
  type RunState,
  type Store,
  type StoredEvent,
  StoreError,
  sha256,
  typeOf,
} from "@harness/spec";
import { isHeld, type TreeLog, type TreeState, treeLog } from "./tree-log.test-support.js";
import { createWhole, readWhole, wholeNames } from "./whole-files.test-support.js";

const pollMs = 20;
const states: Readonly<Record<string, RunState>> = { "run.paused": "paused", "run.finished": "ended" };
/** The store in `folder`, which is made on first use. */
export function jsonLinesStore(folder: string): Store {
  const places = { records: join(folder, "records"), blobs: join(folder, "blobs"), trees: join(folder, "trees") };
  const logs = new Map<RunId, TreeLog>();
  const underWay = new Set<Promise<unknown>>();
  const leaving = new AbortController();
  let made: Promise<unknown> | undefined;

  /** Every method goes through here, so that closing can wait for it. */
  async function during<Value>(work: () => Promise<Value>): Promise<Value> {
    if (leaving.signal.aborted) throw new StoreError("closed", `Could not use the store ${folder}: it is closed.`);
    made ??= Promise.all(Object.values(places).map((place) => mkdir(place, { recursive: true, mode: 0o700 })));
    const done = made.then(work).finally(() => underWay.delete(done));
    underWay.add(done);
    return done;
  }

  function logOf(root: RunId): TreeLog {
    const log = logs.get(root) ?? treeLog(join(places.trees, `${sha256(root)}.jsonl`), randomUUID);
    logs.set(root, log);
    return log;
  }

  async function recordIn(name: string): Promise<RunRecord | undefined> {
    const bytes = await readWhole(places.records, name);
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as RunRecord);
  }

  async function create(record: RunRecord): Promise<void> {
    if (
      await createWhole(
        places.records,
        sha256(record.id),
        new TextEncoder().encode(JSON.stringify(record)),
        randomUUID(),
      )
    )
      return;
    const known = await recordIn(sha256(record.id));
    if (!(["root", "parent", "createdAt", "workspace"] as const).every((field) => known?.[field] === record[field])) {
      throw new StoreError("constraint", `Could not create run ${record.id}: that id has another record.`, {
        runId: record.id,
      });
    }
  }

  const acquire: Store["acquire"] = async (root, owner, ttlMs) => {
    // Again where another was quicker: then it is the one to be refused by, or it has given the tree back already.
    for (;;) {
      const at = Date.now();
      let generation = 0;
      const isMine = await logOf(root).write(({ lease }) => {
        refuse(root, lease, owner, at);
        const isRenewal = lease?.owner === owner && !lease.isFree;
        generation = (lease?.generation ?? 0) + (isRenewal ? 0 : 1);
        return { lease: { root, owner, generation, ttlMs }, at };
      });
      if (isMine) return { root, owner, generation, ttlMs };
    }
  };

  const append: Store["append"] = async (lease, run, events) => {
    const record = await recordIn(sha256(run));
    if (record?.root !== lease.root) throw new LeaseLostError(run, `it is not under ${lease.root}`);
    const isKept = await logOf(lease.root).write((state) => {
      if (!isHeld(state, lease)) throw new LeaseLostError(run, `${lease.owner} does not hold ${lease.root} any more`);
      const head = state.events.get(run)?.length ?? 0;
      const stray = events.find(({ seq }, index) => seq !== head + index + 1);
      if (stray) throw new LeaseLostError(run, `event ${stray.seq} does not follow on event ${head}`);
      return { lease, at: Date.now(), run, events };
    });
    if (!isKept) throw new LeaseLostError(run, "another was quicker");
  };

  async function answer(run: RunId, given: Answer): Promise<boolean> {
    const record = await recordIn(sha256(run));
    if (!record)
      throw new StoreError("missing", `Could not answer ${given.request}: there is no run ${run}.`, { runId: run });
    return logOf(record.root).write(() => ({ run, answer: given }));
  }

  async function runs({ id, root, workspace, state, limit = 100 }: RunQuery = {}): Promise<RunHead[]> {
    const names = id === undefined ? await wholeNames(places.records) : [sha256(id)];
    const heads: RunHead[] = [];
    for (const name of names) {
      const record = await recordIn(name);
      if (record) heads.push(headOf(record, await logOf(record.root).look()));
    }
    const wanted = Object.entries({ root, workspace, state }).filter(([, value]) => value !== undefined);
    return heads
      .filter((head) => wanted.every(([key, value]) => head[key as keyof RunHead] === value))
      .sort((one, other) => other.createdAt - one.createdAt)
      .slice(0, limit);
  }

  /** The items of a list in the tree of `run`, then those that come until `follow` fires or `isOver` says so. */
  async function* tail<Item>(
    run: RunId,
    list: (state: TreeState) => readonly Item[] | undefined,
    follow: AbortSignal | undefined,
    {
      after = 0,
      isOver = () => false,
    }: { after?: number | undefined; isOver?: (items: readonly Item[]) => boolean } = {},
  ): AsyncGenerator<Item> {
    for (let position = after; ; ) {
      const items = await during(async () => {
        const record = await recordIn(sha256(run));
        return (record && list(await logOf(record.root).look())?.slice()) ?? [];
      });
      yield* items.slice(position);
      position = Math.max(position, items.length);
      if (!follow || follow.aborted || isOver(items)) return;
      await sleep(pollMs, undefined, { signal: AbortSignal.any([follow, leaving.signal]) }).catch(() => {});
    }
  }

  const blobs: BlobStore = {
    async put(bytes) {
      const [digest, copy] = [sha256(bytes), new Uint8Array(bytes)];
      await during(() => createWhole(places.blobs, digest, copy, randomUUID()));
      return digest;
    },
    get: (digest) => during(async () => (/^[0-9a-f]{64}$/.test(digest) ? readWhole(places.blobs, digest) : undefined)),
    delete: (digest) => during(() => rm(join(places.blobs, digest), { force: true })),
  };

  async function close(): Promise<void> {
    leaving.abort();
    await Promise.allSettled(underWay);
  }

  return {
    spec: 1,
    create: (record) => during(() => create(record)),
    acquire: (...given) => during(() => acquire(...given)),
    append: (...given) => during(() => append(...given)),
    release: (lease) => during(async () => void (await logOf(lease.root).write(() => ({ released: lease })))),
    read: (run, { after, follow } = {}) =>
      tail(run, ({ events }) => events.get(run), follow, { after, isOver: (events) => stateOf(events) === "ended" }),
    runs: (query) => during(() => runs(query)),
    answer: (...given) => during(() => answer(...given)),
    answers: (run, { follow } = {}) => tail(run, ({ answers }) => answers.get(run), follow),
    blobs,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function refuse(root: RunId, held: TreeState["lease"], owner: string, at: number): void {
  if (!held || held.isFree || held.owner === owner || at >= held.renewedAt + held.ttlMs) return;
  throw new RunConflictError(root, held.owner, held.renewedAt + held.ttlMs);
}

function headOf(record: RunRecord, { lease, events }: TreeState): RunHead {
  const own = events.get(record.id) ?? [];
  const { seq, hash } = own.at(-1) ?? genesis(record.id);
  const view =
    lease && !lease.isFree ? { owner: lease.owner, expiresAt: lease.renewedAt + lease.ttlMs, isAlive: null } : null;
  return { ...record, state: stateOf(own), seq, hash, lease: view };
}

function stateOf(events: readonly StoredEvent[]): RunState {
  const last = events.findLast((event) => typeOf(event) !== "files.rewound");
  return (last && states[typeOf(last)]) ?? "running";
}
