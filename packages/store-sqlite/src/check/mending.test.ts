// What mending does: it makes again what says nothing of its own, removes what belongs to nothing, and says of the rest that it
// stays. No event is ever touched.
import { readFileSync, writeFileSync } from "node:fs";
import { runId } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../sqlite-store.js";
import { bare, drive, freshPath, run, steps, using } from "../store.test-support.js";

async function filled(): Promise<string> {
  const path = freshPath();
  const store = sqliteStore({ path });
  await store.append(await drive(store), run, steps(3));
  await store.close();
  return path;
}

const eventsIn = (path: string) => bare(path).prepare("select * from events order by run, seq").all();

/** What a check with `mend` says of a store after `sql` was done to it, and what one behind it does. No event may have changed. */
async function mendAfter(sql: string) {
  const path = await filled();
  bare(path).exec(sql);
  const events = eventsIn(path);
  const store = using(sqliteStore({ path }));
  const said = await store.check({ mend: true });
  expect(eventsIn(path)).toEqual(events);
  return { path, said, left: await store.check() };
}

describe("check with mend", () => {
  it.each([
    ["makes a view again", "drop view spend", 'The view "spend" is missing; mended: it was made.'],
    [
      "makes an index again",
      "drop index streams_by_age",
      'The index "streams_by_age" is missing; mended: it was made.',
    ],
    [
      "puts a view right that says something else",
      "drop view runs; create view runs as select 'all is well' as state",
      'The view "runs" is not the one this package makes; mended: it was made anew.',
    ],
    [
      "removes answers to no run",
      "insert into answers (run, request, answer) values (9, 'q', '{}'), (9, 'r', '{}')",
      "2 answers belong to no run; mended: they were removed.",
    ],
    [
      "removes leases of no run",
      "insert into leases values ('gone', null, null, 1, 1, 1)",
      "One lease holds no run; mended: it was removed.",
    ],
  ])("%s", async (_what, sql, sentence) => {
    expect(await mendAfter(sql)).toMatchObject({ said: [sentence], left: [] });
  });

  it("mends several faults in one go", async () => {
    const { said, left } = await mendAfter("drop view spend; drop view steps; drop index streams_by_root");

    expect(said).toHaveLength(3);
    expect(left).toEqual([]);
  });

  it("makes indexes again that do not match their tables", async () => {
    const path = await filled();
    const bytes = readFileSync(path);
    const page = bare(path).prepare("select rootpage from sqlite_schema where name = 'streams_by_root'").pluck().get();
    const at = bytes.indexOf(run, (Number(page) - 1) * 4_096);
    writeFileSync(path, bytes.fill("x", at, at + run.length));
    const store = using(sqliteStore({ path }));

    expect(await store.check()).toEqual([
      expect.stringMatching(/row 1 missing from index streams_by_root.*can be mended\.$/),
    ]);
    expect(await store.check({ mend: true })).toEqual([expect.stringMatching(/; mended: all were made again\.$/)]);
    expect(await store.check()).toEqual([]);
    expect(await store.runs({ root: run })).toHaveLength(1);
  });

  describe("of blobs that no event names", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const longAgo = "update blob_puts set last_at = 0";

    it("removes them, once nobody can be about to name them", async () => {
      const path = await filled();
      const store = using(sqliteStore({ path }));
      const digest = await store.blobs.put(bytes);
      expect(await store.check({ mend: true })).toEqual([]);

      bare(path).exec(longAgo);
      expect(await store.check()).toEqual(["A blob is named by no event (3 bytes); this can be mended."]);
      expect(await store.blobs.get(digest)).toEqual(bytes);
      expect(await store.check({ mend: true })).toEqual([
        "A blob is named by no event (3 bytes); mended: it was removed.",
      ]);

      expect(await store.blobs.get(digest)).toBeUndefined();
      expect(await store.check()).toEqual([]);
    });

    it("leaves those that a damaged event may have named", async () => {
      const path = await filled();
      const store = using(sqliteStore({ path }));
      const digest = await store.blobs.put(bytes);

      bare(path).exec(`${longAgo}; update events set facts = '{}' where seq = 2`);

      expect(await store.check({ mend: true })).toHaveLength(1);
      expect(await store.blobs.get(digest)).toEqual(bytes);
    });
  });

  it("leaves what only a guess could mend, and says so", async () => {
    const { said, left } = await mendAfter(
      "update events set facts = '{}' where seq = 2; update events set run = 5 where seq = 3",
    );

    expect(said).toEqual([
      expect.stringMatching(/^There is an event under key 5.*; this cannot be mended and stays\.$/),
      expect.stringMatching(/^Event 2 of run run-1 is not what was recorded.*; this cannot be mended and stays\.$/),
    ]);
    expect(left).toHaveLength(2);
  });

  it("mends what it can beside what it cannot", async () => {
    const { said, left } = await mendAfter("drop view steps; delete from events where seq = 2");

    expect(said).toEqual([expect.stringContaining("; mended: "), expect.stringContaining(" stays.")]);
    expect(left).toHaveLength(1);
  });

  it("says what stopped it", async () => {
    const path = await filled();
    bare(path).exec("drop view steps; create table steps (text)");

    expect(await using(sqliteStore({ path })).check({ mend: true })).toEqual([
      expect.stringMatching(/^The view "steps" is missing; this could not be mended and stays: .*already/),
    ]);
  });

  it("does not go by what it remembers of a lease that was removed", async () => {
    const path = await filled();
    const [store, other] = [using(sqliteStore({ path })), using(sqliteStore({ path }))];
    const late = runId("late");
    await store.release(await store.acquire(late, "elsewhere:1:a", 600_000));
    expect(await store.check({ mend: true })).toHaveLength(1);

    const lease = await drive(store, late);
    await expect(other.acquire(late, "elsewhere:2:b", 1)).rejects.toMatchObject({ owner: lease.owner });
    await store.append(lease, late, steps(1, late));
  });

  it("is refused where the store may only be read", async () => {
    const path = await filled();
    bare(path).exec("drop view steps");
    const store = using(sqliteStore({ path, readonly: true }));

    await expect(store.check({ mend: true })).rejects.toMatchObject({ code: "store-failed", kind: "readonly" });
    expect(await store.check()).toHaveLength(1);
  });

  it("mends through a connection of the caller's", async () => {
    const database = bare(await filled());
    database.exec("drop view steps");
    const store = using(sqliteStore({ database }));

    expect(await store.check({ mend: true })).toHaveLength(1);
    expect(await store.check()).toEqual([]);
  });
});
