// What upkeep of a SQLite store does beside what the port promises: to the file, to those who follow, and when it is cut short.
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { type NewEvent, runId, type Store, type StoreUpkeep, verifyTrace } from "@harness/spec";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { SqliteDriver } from "../driver.js";
import { sqliteStore } from "../sqlite-store.js";
import {
  bare,
  collect,
  drive,
  driverUrl,
  freshPath,
  run,
  scriptWithStore,
  sealed,
  startProcess,
  storeForProcesses,
  using,
} from "../store.test-support.js";

const built = storeForProcesses();
const words = "a sentence that somebody wrote";
const said = (nth: number): NewEvent => ({ type: "run.replanned", step: 1, nth, content: { text: `${words} ${nth}` } });
const end: NewEvent = { type: "run.finished", step: 1, ending: { type: "success" }, steps: 1 };

/** Runs that are over, each with `count` texts, a text in a blob and an answer. */
async function filled(store: Store, names: readonly string[], count = 3): Promise<void> {
  for (const [index, name] of names.entries()) {
    const id = runId(name);
    const lease = await drive(store, id);
    const events = sealed([...Array.from({ length: count }, (_, nth) => said(nth + 100 * index)), end], id);
    const [first, ...rest] = events as [(typeof events)[number], ...typeof events];
    await store.blobs.put(new TextEncoder().encode(first.content ?? ""));
    await store.append(lease, id, [{ ...first, content: null }, ...rest]);
    await store.answer(id, { type: "question", request: `${name}/1.1` as never, by: "ops", text: words });
    await store.release(lease);
  }
}

/** Everything that the file says, without the views. */
function contentOf(database: Database.Database): unknown {
  const tables = ["streams", "events", "answers", "leases", "blobs", "blob_puts"];
  return tables.map((table) => database.prepare(`select * from ${table}`).all());
}

interface Watched {
  readonly driver: SqliteDriver;
  readonly ran: string[];
  /** The statement at which the driver fails, counted from the next `begin`. */
  failAt: number;
}

function watched(database: Database.Database): Watched {
  const watch: Watched = {
    ran: [],
    failAt: Number.POSITIVE_INFINITY,
    driver: {
      exec: (sql) => database.exec(sql),
      close: () => {},
      prepare(sql) {
        const statement = database.prepare(sql);
        const before = () => {
          watch.ran.push(sql);
          if (watch.ran.length === watch.failAt) throw new Database.SqliteError("disk full", "SQLITE_FULL");
        };
        const counted = <Value>(work: () => Value) => {
          before();
          return work();
        };
        return {
          run: (...values) => counted(() => statement.run(...values)),
          get: (...values) => counted(() => statement.get(...values)),
          all: (...values) => counted(() => statement.all(...values)),
          iterate: (...values) => counted(() => statement.iterate(...values)),
        };
      },
    },
  };
  return watch;
}

const upkeeps: readonly (readonly [what: string, work: (store: StoreUpkeep) => Promise<unknown>])[] = [
  ["delete", (store) => store.delete(run)],
  ["sweep", (store) => store.sweep(Number.MAX_SAFE_INTEGER)],
  ["archive", (store) => store.archive(run)],
];

describe.each(upkeeps)("%s", (_what, work) => {
  it("happens whole or not at all, wherever it is cut short", async () => {
    const database = bare(freshPath());
    const watch = watched(database);
    const store = using(sqliteStore({ database: watch.driver }));
    await filled(store, [run, "run-2"]);
    const before = contentOf(database);

    let isDone = false;
    for (let failAt = 1; !isDone; failAt++) {
      watch.ran.length = 0;
      watch.failAt = failAt;
      isDone = await work(store).then(
        () => true,
        (error) => error.kind !== "full",
      );
      watch.failAt = Number.POSITIVE_INFINITY;
      if (!isDone) expect(contentOf(database)).toEqual(before);
    }

    expect(contentOf(database)).not.toEqual(before);
    expect(await store.check()).toEqual([]);
  });

  it("takes as many statements for many runs as for few", async () => {
    const counts: number[] = [];
    for (const size of [2, 40]) {
      const watch = watched(bare(freshPath()));
      const store = using(sqliteStore({ database: watch.driver, durability: "process" }));
      await filled(store, [run, ...Array.from({ length: size }, (_, nth) => `other-${nth}`)]);
      watch.ran.length = 0;
      await work(store);
      counts.push(watch.ran.length);
    }

    expect(counts[1]).toBe(counts[0]);
  });

  it("is refused where the store may only be read", async () => {
    const path = freshPath();
    await filled(using(sqliteStore({ path })), [run]);

    await expect(work(using(sqliteStore({ path, readonly: true })))).rejects.toMatchObject({ kind: "readonly" });
  });
});

describe("a process that is killed in its upkeep", () => {
  it("has done each piece of it or not begun it", async () => {
    const path = freshPath();
    const store = sqliteStore({ path, durability: "process" });
    const names = Array.from({ length: 60 }, (_, nth) => `run-${nth}`);
    await filled(store, names, 20);
    await store.close();
    const child = startProcess(
      scriptWithStore(
        built.url,
        `
        for (const { id } of await store.runs()) {
          if (id.endsWith("0")) await store.archive(id);
          else await store.delete(id);
          console.log(id);
        }
      `,
      ),
      path,
    );
    for (let nth = 0; nth < 15; nth++) await child.line();
    await child.kill();

    const again = using(sqliteStore({ path }));
    const left = await again.runs();
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(names.length);
    for (const { id } of left) expect(await collect(again.read(id))).toHaveLength(21);
    expect(await again.check()).toEqual([]);
    expect(
      bare(path).prepare("select count(*) from events where run not in (select key from streams)").pluck().get(),
    ).toBe(0);
  });
});

describe("archive", () => {
  it("leaves no word in the file, once that is compacted", async () => {
    const path = freshPath();
    const store = sqliteStore({ path });
    await filled(store, [run], 50);

    await store.archive(run);
    await store.compact();
    await store.close();

    expect(readFileSync(path).includes(words)).toBe(false);
    expect(bare(path).prepare("select goal, archived_at is not null as isArchived from runs").get()).toEqual({
      goal: null,
      isArchived: 1,
    });
  });

  it("leaves a run in which a check finds nothing wrong, also where another run has the same words", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    const other = runId("run-2");
    for (const id of [run, other]) {
      const lease = await drive(store, id);
      const events = sealed([said(1), said(2), end], id);
      await store.blobs.put(new TextEncoder().encode(events[0]?.content ?? ""));
      await store.append(lease, id, [{ ...events[0], content: null }, ...events.slice(1)] as typeof events);
      await store.release(lease);
    }

    await store.archive(run);

    expect(await store.check()).toEqual([]);
    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", emptied: 1 });
    expect(await verifyTrace(store, other)).toMatchObject({ type: "verified", emptied: 0 });
  });
});

describe("following", () => {
  it("ends with an error when the run is deleted, by this store or another", async () => {
    for (const isHere of [true, false]) {
      const path = freshPath();
      const store = using(sqliteStore({ path }));
      const lease = await drive(store);
      await store.append(lease, run, sealed([said(1)]));
      await store.release(lease);
      const reading = collect(store.read(run, { follow: new AbortController().signal }));
      reading.catch(() => {});
      await store.runs();

      await (isHere ? store : using(sqliteStore({ path }))).delete(run);

      await expect(reading).rejects.toMatchObject({ code: "store-failed", kind: "missing", runId: run });
    }
  });

  it("does not end in the middle as if that were the end", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    const lease = await drive(store);
    await store.append(lease, run, sealed(Array.from({ length: 500 }, (_, nth) => said(nth))));
    await store.release(lease);

    const reading = (async () => {
      for await (const { seq } of store.read(run)) if (seq === 10) await store.delete(run);
    })();

    await expect(reading).rejects.toMatchObject({ kind: "missing" });
  });
});

describe("compact", () => {
  it("gives back what was deleted", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path }));
    await filled(store, [run], 3_000);
    await filled(store, ["run-2"]);
    await store.delete(run);
    const [before, length] = [await store.size(), statSync(path).size];

    const given = await store.compact();

    expect(given).toBeGreaterThan(length / 2);
    expect(await store.size()).toBe(before - given);
    expect(statSync(path).size).toBeLessThan(length / 2);
    expect(await store.check()).toEqual([]);
    expect(await store.compact()).toBe(0);
  });

  it("is refused while a run is driven, says by whom, and takes the dead for dead", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    const lease = await drive(store, run, `${hostname()}:${process.pid}:a`);

    await expect(store.compact()).rejects.toMatchObject({
      code: "store-failed",
      kind: "busy",
      isRetryable: true,
      message: expect.stringMatching(`run ${run} is being driven by ${lease.owner}`),
    });
    await store.release(lease);
    await drive(store, runId("run-2"), `${hostname()}:4194999:gone`);

    expect(await store.compact()).toBeGreaterThanOrEqual(0);
  });

  it("waits for another process that writes, and leaves one that reads in peace", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path, busyTimeoutMs: 500 }));
    await filled(store, [run]);
    const child = startProcess(
      `
      import Database from ${JSON.stringify(driverUrl)};
      const writer = new Database(process.argv[1]);
      const reader = new Database(process.argv[1]);
      reader.exec("begin");
      const count = () => reader.prepare("select count(*) from events").pluck().get();
      const before = count();
      writer.exec("begin immediate");
      console.log("held");
      setTimeout(() => { writer.exec("commit"); }, 50);
      process.stdin.once("data", () => { console.log(count() === before); reader.exec("commit"); process.exit(); });
    `,
      path,
    );
    await child.line();

    await store.compact();
    child.send("look");

    expect(await child.line()).toBe("true");
    expect(await collect(store.read(run))).toHaveLength(4);
  });

  it("works on a connection of the caller's", async () => {
    const store = using(sqliteStore({ database: bare(freshPath()) }));
    await filled(store, [run], 500);
    const before = await store.size();
    await store.delete(run);

    expect(await store.compact()).toBe(before - (await store.size()));
  });
});
