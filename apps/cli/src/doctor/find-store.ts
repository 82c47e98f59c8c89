// What becomes of the store's place when a run would use it. Through the store's own methods, so that whatever it refuses a
// run, such as a network file system, it refuses here, in the same words.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, type Lease, type RunId, runId, type Store, StoreError } from "@harness/spec";
import { exists, withStore } from "../stores.js";

export type StoreState = {
  /** Of the file and its log; `null` where there is none. */
  readonly bytes: number | null;
} & (
  | (Counted & { readonly type: "usable"; readonly tookMs: number })
  | (Counted & { readonly type: "read-only"; readonly reason: string })
  | { readonly type: "unusable"; readonly reason: string }
  /** There is none, and one can be made. */
  | { readonly type: "makeable"; readonly tookMs: number }
);

interface Counted {
  readonly runs: number;
  /** `runs` is as far as was counted. */
  readonly areMore: boolean;
}

const mostCounted = 10_000;

export async function findStore(path: string, clock: Clock): Promise<StoreState> {
  const bytes = await bytesOf(path);
  const startedAt = clock.now();
  // An empty file is made into a store by the first run, as a missing one is.
  if (bytes === null || bytes === 0) {
    const refusal = await reasonAgainst(() => tryBeside(path));
    const tookMs = clock.now() - startedAt;
    return refusal === undefined ? { bytes, type: "makeable", tookMs } : { bytes, type: "unusable", reason: refusal };
  }
  let counted: Counted = { runs: 0, areMore: false };
  const unreadable = await reasonAgainst(async () => {
    counted = await withStore(path, countRuns, { readonly: true });
  });
  if (unreadable !== undefined) return { bytes, type: "unusable", reason: unreadable };
  const reason = await reasonAgainst(() => withStore(path, (store) => store.release(nobodysLease)));
  if (reason !== undefined) return { bytes, ...counted, type: "read-only", reason };
  return { bytes, ...counted, type: "usable", tookMs: clock.now() - startedAt };
}

/** Giving back what nobody holds is a write that changes nothing. */
const nobodysLease: Lease = { root: "doctor" as RunId, owner: "doctor", generation: 0, ttlMs: 0 };

async function countRuns(store: Store): Promise<Counted> {
  const heads = await store.runs({ limit: mostCounted + 1 });
  return { runs: Math.min(heads.length, mostCounted), areMore: heads.length > mostCounted };
}

/** Makes a store in a folder of its own on the same disk, writes to it, and takes it away again. */
async function tryBeside(path: string): Promise<void> {
  const folder = await folderIn(await nearest(dirname(path)));
  try {
    const id = runId("doctor");
    await withStore(join(folder, "runs.db"), (store) => store.create({ id, root: id, parent: null, createdAt: 0 }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `path`, or the nearest above it that is there, whatever it is. */
async function nearest(path: string): Promise<string> {
  return dirname(path) === path || (await exists(path)) ? path : nearest(dirname(path));
}

async function folderIn(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, ".harness-doctor-"));
  } catch (cause) {
    const { code, message } = cause as { readonly code?: string; readonly message: string };
    throw new StoreError("other", `No folder can be made in ${parent} (${code ?? message}).`, { cause });
  }
}

async function reasonAgainst(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function bytesOf(path: string): Promise<number | null> {
  const sizes = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
  const [file, log] = sizes;
  return file === undefined ? null : file.size + (log?.size ?? 0);
}
