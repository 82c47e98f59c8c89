// What a case works on: a store in an empty place of its own, and a way to open that place again. Every handle that was opened
// is closed when the case is over, and the place is removed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store, StoreUpkeep } from "@harness/spec";

/** How to open the store under test, and what it declares that it can do. */
export interface DescribeStoreOptions {
  /** Opens the store at `location`: a path under a temporary folder that the suite makes for each test and removes. */
  readonly open: (location: string) => Store | Promise<Store>;
  /** What was stored is there when its location is opened again, and two handles may have it open at once. Default false. */
  readonly survivesReopen?: boolean;
  /** `read` and `answers` honour `follow`. Default false. */
  readonly follows?: boolean;
  /** The lease of an owner `<host>:<pid>:<rest>` whose process on this host is gone is taken over at once. Default false. */
  readonly seesDeadOwners?: boolean;
}

export interface Subject extends AsyncDisposable {
  readonly store: Store;
  /** Opens the same place again, beside every handle that is open. */
  reopen(): Promise<Store>;
}

/** One promise, proven by not throwing. */
export type Case = (subject: Subject) => Promise<void>;

/** A subject whose store has the methods of upkeep that the case needs. */
export interface KeptSubject extends Subject {
  readonly store: Store & StoreUpkeep;
  reopen(): Promise<Store & StoreUpkeep>;
}

export type UpkeepCase = (subject: KeptSubject) => Promise<void>;

const upkeep = ["size", "delete", "sweep", "archive", "compact", "check"] as const satisfies (keyof StoreUpkeep)[];

/** Which methods of upkeep the store has, seen on one that is opened for that. */
export async function offeredUpkeep(options: DescribeStoreOptions): Promise<ReadonlySet<keyof StoreUpkeep>> {
  await using subject = await openSubject(options);
  const store = subject.store as Partial<KeptSubject["store"]>;
  return new Set(upkeep.filter((method) => typeof store[method] === "function"));
}

export async function openSubject(options: DescribeStoreOptions): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "harness-store-"));
  const handles: Store[] = [];

  async function reopen(): Promise<Store> {
    const store = await options.open(join(folder, "store"));
    handles.push(store);
    return store;
  }

  return {
    store: await reopen(),
    reopen,
    async [Symbol.asyncDispose]() {
      for (const handle of handles) await handle.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
