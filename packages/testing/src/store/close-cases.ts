// Promises of `close`: what was under way settles, and what is asked for afterwards is refused by name.
import { type Store, sha256 } from "@harness/spec";
import { expect } from "vitest";
import { approval } from "./answer-cases.js";
import { collect, fates } from "./observe.js";
import { type Driven, drive, recordOf, stepStarted } from "./stream.js";
import type { Case } from "./subject.js";

/** Everything that can be asked of a store. */
function everything(store: Store, { run, lease, log }: Driven): Promise<unknown>[] {
  return [
    store.create(recordOf("run-late")),
    store.acquire(run, lease.owner, 60_000),
    store.append(lease, run, log.next(stepStarted(1))),
    store.append(lease, run, []),
    store.release(lease),
    collect(store.read(run)),
    store.runs(),
    store.answer(run, approval(run, 1)),
    collect(store.answers(run)),
    store.blobs.put(new Uint8Array(1)),
    store.blobs.get(sha256("any")),
    store.blobs.delete(sha256("any")),
  ];
}

export const closeCases: Readonly<Record<string, Case>> = {
  "may be called twice, and by disposal": async ({ store }) => {
    await drive(store);

    await store.close();
    await store.close();
    await store[Symbol.asyncDispose]();
  },

  "may be called before anything else": async ({ store }) => {
    await expect(store.close()).resolves.toBeUndefined();
  },

  "is what disposal does": async ({ store }) => {
    await store[Symbol.asyncDispose]();

    await expect(store.runs()).rejects.toMatchObject({ code: "store-failed", kind: "closed" });
  },

  "lets what is under way settle first": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const appended = store.append(lease, run, log.next(stepStarted(1)));
    const created = store.create(recordOf("run-2"));

    await store.close();

    expect(await fates([appended, created])).toEqual(["kept", "kept"]);
  },

  "refuses everything afterwards": async ({ store }) => {
    const driven = await drive(store);
    await store.close();

    const late = everything(store, driven).map((promise) => promise.catch((error: unknown) => error));

    for (const error of await Promise.all(late)) {
      expect(error).toMatchObject({ code: "store-failed", kind: "closed", isRetryable: false });
    }
  },
};
