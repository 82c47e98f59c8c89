// What following costs and what it depends on, beside what the port promises of it: nothing while nobody follows, one timer
// however many do, and no timer at all for what this process writes.
import { getEventListeners } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { type RunId, runId } from "@harness/spec";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { bare, collect, drive, freshPath, run, steps, using } from "./store.test-support.js";

const timers = new Set<unknown>();
const { setInterval: startTimer, clearInterval: stopTimer } = globalThis;

/** Intervals are counted; with `areFrozen` they never fire. */
function countTimers({ areFrozen = false } = {}): void {
  vi.spyOn(globalThis, "setInterval").mockImplementation(((...values: Parameters<typeof startTimer>) => {
    const timer = areFrozen ? {} : startTimer(...values);
    timers.add(timer);
    return timer;
  }) as typeof startTimer);
  vi.spyOn(globalThis, "clearInterval").mockImplementation((timer) => {
    timers.delete(timer);
    if (!areFrozen) stopTimer(timer);
  });
}

beforeEach(() => countTimers());

afterEach(() => {
  vi.restoreAllMocks();
  timers.clear();
});

const forever = () => new AbortController().signal;

describe("following", () => {
  it("asks with one timer for a hundred followers of a hundred runs, and with none when the last has stopped", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    const ids = Array.from({ length: 100 }, (_, nth) => runId(`run-${nth}`));
    const leases = await Promise.all(ids.map((id) => drive(store, id)));
    expect(timers.size).toBe(0);

    const stop = new AbortController();
    const readers = ids.map((id) => collect(store.read(id, { follow: stop.signal })));
    await store.runs();
    expect(timers.size).toBe(1);
    await Promise.all(ids.map((id, nth) => store.append(leases[nth] as (typeof leases)[number], id, steps(2, id))));
    expect(timers.size).toBe(1);
    await store.runs();
    stop.abort();

    expect(await Promise.all(readers)).toEqual(ids.map((id) => steps(2, id)));
    expect(timers.size).toBe(0);
  });

  it("hears at once of what is written through the same store, without a timer", async () => {
    countTimers({ areFrozen: true });
    const store = using(sqliteStore({ path: freshPath() }));
    const unknown: RunId = run;
    const stop = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { seq } of store.read(unknown, { follow: stop.signal })) {
        if (seen.push(seq) === 20) stop.abort();
      }
    })();
    await store.runs();

    const lease = await drive(store);
    for (const event of steps(20)) await store.append(lease, run, [event]);
    await reading;

    expect(seen).toEqual(steps(20).map(({ seq }) => seq));
  });

  it("asks with no timer after close", async () => {
    const store = sqliteStore({ path: freshPath() });
    await drive(store);
    const ended = expect(collect(store.read(run, { follow: forever() }))).rejects.toMatchObject({ kind: "closed" });
    await store.runs();
    expect(timers.size).toBe(1);

    await store.close();

    await ended;
    expect(timers.size).toBe(0);
  });

  it("serves many who share a signal without a warning, and leaves no listener on it", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const store = using(sqliteStore({ path: freshPath() }));
    await drive(store);
    const stop = new AbortController();

    const readers = Array.from({ length: 100 }, () => collect(store.read(run, { follow: stop.signal })));
    await store.runs();
    stop.abort();
    await Promise.all(readers);
    await new Promise(setImmediate);

    process.off("warning", note);
    expect(warnings).toEqual([]);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });
});

describe("following a file that does not last", () => {
  async function followed() {
    const path = freshPath();
    const writer = using(sqliteStore({ path }));
    const lease = await drive(writer);
    await writer.append(lease, run, steps(1));
    const reader = using(sqliteStore({ path }));
    let seen = 0;
    const reading = (async () => {
      for await (const _ of reader.read(run, { follow: forever() })) seen += 1;
    })();
    reading.catch(() => {});
    await vi.waitUntil(() => seen === 1);
    return { path, writer, lease, reading };
  }

  it.skipIf(process.platform === "win32")(
    "ends with an error when the file is taken away or replaced, and so does a write [Windows keeps open files]",
    async () => {
      for (const replacement of [undefined, "another"]) {
        const { path, writer, lease, reading } = await followed();
        renameSync(path, `${path}.away`);
        if (replacement !== undefined) writeFileSync(path, replacement);

        const gone = { code: "store-failed", kind: "other", message: expect.stringMatching(/removed or replaced/) };
        await expect(reading).rejects.toMatchObject(gone);
        await expect(writer.append(lease, run, steps(2).slice(1))).rejects.toMatchObject(gone);
      }
    },
  );

  it("ends with an error when what is there cannot be read any more", async () => {
    const { path, reading } = await followed();
    const other = bare(path).unsafeMode(true);
    other.exec("pragma writable_schema = on; update sqlite_schema set rootpage = 1 where name = 'events'");
    other.exec("pragma schema_version = 99");

    await expect(reading).rejects.toMatchObject({ code: "store-failed", kind: "corrupt", isRetryable: false });
  });
});
