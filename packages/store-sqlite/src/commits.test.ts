// How writes become transactions: seen through a driver that counts what it is asked, and that fails when told to.
import { type Lease, type RunId, runId, type Store } from "@harness/spec";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SqliteDriver, SqliteStatement } from "./driver.js";
import { sqliteStore } from "./sqlite-store.js";
import { bare, collect, drive, freshPath, run, steps, using } from "./store.test-support.js";

interface Spy {
  readonly driver: SqliteDriver;
  /** How often a statement whose text starts with `start` was run. */
  count(start: string): number;
  /** Called before each run of a statement; may throw. */
  before: (sql: string, values: readonly unknown[]) => void;
}

function spyOn(database: Database.Database): Spy {
  const ran: string[] = [];
  const spy: Spy = {
    before: () => {},
    count: (start) => ran.filter((sql) => sql.startsWith(start)).length,
    driver: {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare(sql) {
        const statement: SqliteStatement = database.prepare(sql);
        return {
          run(...values) {
            spy.before(sql, values);
            ran.push(sql);
            return statement.run(...values);
          },
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
          iterate: (...values) => statement.iterate(...values),
        };
      },
    },
  };
  return spy;
}

function sqliteError(code: string, message: string): Error {
  return new Database.SqliteError(message, code);
}

/** A spied store in which `count` trees are held. */
async function trees(count: number): Promise<{ spy: Spy; store: Store; held: { id: RunId; lease: Lease }[] }> {
  const spy = spyOn(bare(freshPath()));
  const store = using(sqliteStore({ database: spy.driver }));
  const ids = Array.from({ length: count }, (_, index) => runId(`run-${index}`));
  const held = await Promise.all(ids.map(async (id) => ({ id, lease: await drive(store, id) })));
  return { spy, store, held };
}

/** A flush takes in less when the machine is slow; here it is to take in all it may. */
function stopTheClock(): void {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
}

describe("sqliteStore commits", () => {
  it("once for everything that is recorded in one turn", async () => {
    stopTheClock();
    const { spy, store, held } = await trees(50);
    const before = spy.count("commit");

    await Promise.all([
      ...held.map(({ id, lease }) => store.append(lease, id, steps(2, id))),
      store.create({ id: runId("late"), root: runId("late"), parent: null, createdAt: 1 }),
      store.acquire(runId("late"), "elsewhere:1:a", 1_000),
    ]);

    expect(spy.count("commit") - before).toBe(1);
  });

  it("once for what is recorded by continuations of the same turn", async () => {
    stopTheClock();
    const { spy, store, held } = await trees(20);
    const before = spy.count("commit");

    await Promise.all(
      held.map(async ({ id, lease }, index) => {
        for (let hops = 0; hops < index; hops++) await undefined;
        await store.append(lease, id, steps(1, id));
      }),
    );

    expect(spy.count("commit") - before).toBe(1);
  });

  it("a few hundred rows at a time, in the order they came, and never a part of a batch", async () => {
    stopTheClock();
    const { spy, store, held } = await trees(4);
    const before = spy.count("commit");

    await Promise.all(held.map(({ id, lease }) => store.append(lease, id, steps(200, id))));

    expect(spy.count("commit") - before).toBe(4);
    for (const { id } of held) expect(await collect(store.read(id))).toEqual(steps(200, id));
  });

  it("what is done when a flush has taken its time, and the rest in the next", async () => {
    const { spy, store, held } = await trees(40);
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    const before = spy.count("commit");

    await Promise.all(held.map(({ id, lease }) => store.append(lease, id, steps(1, id))));
    clock.mockRestore();

    expect(spy.count("commit") - before).toBeGreaterThan(5);
    for (const { id } of held) expect(await collect(store.read(id))).toEqual(steps(1, id));
  });

  it("one by one what shared a transaction that failed", async () => {
    const { spy, store, held } = await trees(5);
    let failures = 1;
    spy.before = (sql) => {
      if (sql === "commit" && failures-- > 0) throw sqliteError("SQLITE_IOERR_FSYNC", "disk I/O error");
    };

    await Promise.all(held.map(({ id, lease }) => store.append(lease, id, steps(2, id))));

    for (const { id } of held) expect(await collect(store.read(id))).toEqual(steps(2, id));
  });

  it("what is good when one entry fails the transaction again and again", async () => {
    const { spy, store, held } = await trees(5);
    spy.before = (sql, values) => {
      const isSecondRow = sql.startsWith("insert into events") && values[1] === 2;
      if (isSecondRow && String(values[4]).includes('"step":66'))
        throw sqliteError("SQLITE_FULL", "database or disk is full");
    };
    const bad = steps(2).map((event) => ({ ...event, facts: '{"type":"step.started","step":66,"at":1}' }));

    const appends = held.map(({ id, lease }, index) => store.append(lease, id, index === 2 ? bad : steps(2, id)));

    await Promise.allSettled(appends);
    await expect(appends[2]).rejects.toMatchObject({
      kind: "full",
      runId: held[2]?.id,
      message: expect.stringMatching(/append to run run-2.*database or disk is full.*SQLITE_FULL/),
    });
    for (const [index, { id }] of held.entries()) {
      expect(await collect(store.read(id))).toEqual(index === 2 ? [] : steps(2, id));
    }
  });

  it("once more what the system failed to write, and never a third time", async () => {
    for (const times of [1, 2]) {
      const { spy, store, held } = await trees(1);
      const [{ id, lease }] = held as [(typeof held)[number]];
      let failures = times;
      spy.before = (sql) => {
        if (sql === "commit" && failures-- > 0) throw sqliteError("SQLITE_IOERR_WRITE", "disk I/O error");
      };

      const appended = store.append(lease, id, steps(2, id));

      if (times === 1) await appended;
      else
        await expect(appended).rejects.toMatchObject({
          kind: "other",
          message: expect.stringContaining("disk I/O error"),
        });
      expect(await collect(store.read(id))).toEqual(times === 1 ? steps(2, id) : []);
    }
  });

  it("nothing it remembers wrongly after a transaction that failed", async () => {
    const { spy, store, held } = await trees(1);
    const [{ id, lease }] = held as [(typeof held)[number]];
    spy.before = (sql) => {
      if (sql === "commit") throw sqliteError("SQLITE_IOERR", "disk I/O error");
    };
    await expect(store.append(lease, id, steps(3, id))).rejects.toMatchObject({ kind: "other" });
    await expect(store.release(lease)).rejects.toMatchObject({ kind: "other" });
    spy.before = () => {};

    await store.append(lease, id, steps(3, id));

    expect(await collect(store.read(id))).toEqual(steps(3, id));
  });

  it("nothing more for a lease that appends renew", async () => {
    const { spy, store, held } = await trees(1);
    const [{ id, lease }] = held as [(typeof held)[number]];
    const short = await store.acquire(id, lease.owner, 40);
    const renewals = () => spy.count("update leases set renewed_at");
    const [commits, begins] = [spy.count("commit"), spy.count("begin")];

    let appends = 0;
    for (const event of steps(100_000, id)) {
      if (renewals() === 3) break;
      await store.append(short, id, [event]);
      appends += 1;
    }

    expect(renewals()).toBe(3);
    expect([spy.count("commit") - commits, spy.count("begin") - begins]).toEqual([appends, appends]);
  });

  it("without blocking when the lock is taken between two statements", async () => {
    const { spy, store, held } = await trees(2);
    let busy = 3;
    spy.before = (sql) => {
      if (sql === "begin immediate" && busy-- > 0) throw sqliteError("SQLITE_BUSY", "database is locked");
    };

    await Promise.all(held.map(({ id, lease }) => store.append(lease, id, steps(1, id))));

    expect(busy).toBe(-1);
    for (const { id } of held) expect(await collect(store.read(id))).toEqual(steps(1, id));
  });

  it("not at all, and says why, when the given connection is in a transaction of its owner's", async () => {
    const database = bare(freshPath());
    const store = using(sqliteStore({ database }));
    const lease = await drive(store);
    database.exec("begin");
    database.exec("create table notes (text)");

    await expect(store.append(lease, run, steps(1))).rejects.toMatchObject({ kind: "other" });
    database.exec("commit");

    await store.append(lease, run, steps(1));
    expect(database.prepare("select count(*) as n from notes").get()).toEqual({ n: 0 });
  });

  it("not at all while the given connection is in a transaction of its owner's, which is not undone by it", async () => {
    const database = bare(freshPath());
    database.exec("begin; create table notes (text)");

    await expect(drive(using(sqliteStore({ database })))).rejects.toMatchObject({ code: "store-failed" });
    database.exec("commit");

    expect(database.prepare("select count(*) as n from notes").get()).toEqual({ n: 0 });
  });
});

describe("sqliteStore over a given connection", () => {
  it("leaves it open when it is closed", async () => {
    const database = bare(freshPath());
    const store = sqliteStore({ database });
    await drive(store);

    await store.close();

    expect(database.open).toBe(true);
  });

  it("sees what another store does through the same connection", async () => {
    const database = bare(freshPath());
    const [one, two] = [using(sqliteStore({ database })), using(sqliteStore({ database }))];
    const lease = await drive(one);
    await one.append(lease, run, steps(1));
    await two.append(lease, run, steps(2).slice(1));
    await two.release(lease);

    await expect(one.append(lease, run, steps(3).slice(2))).rejects.toMatchObject({ code: "lease-lost" });

    expect(await collect(one.read(run))).toEqual(steps(2));
  });

  it("follows what another store does through the same connection", async () => {
    const database = bare(freshPath());
    const [one, two] = [using(sqliteStore({ database })), using(sqliteStore({ database }))];
    const lease = await drive(one);

    const seqs: number[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const { seq } of one.read(run, { follow: stop.signal })) if (seqs.push(seq) === 2) stop.abort();
    })();
    for (const event of steps(2)) await two.append(lease, run, [event]);
    await reading;

    expect(seqs).toEqual([1, 2]);
  });

  it("works in memory", async () => {
    const store = using(sqliteStore({ database: bare(":memory:") }));
    await store.append(await drive(store), run, steps(3));

    expect(await collect(store.read(run))).toEqual(steps(3));
  });
});
