// A check of files that are really damaged: by hand, by a disk, by a copy that was cut short.
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type NewEvent, runId, sha256 } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { formatVersion } from "../schema.js";
import { sqliteStore } from "../sqlite-store.js";
import { bare, drive, freshPath, run, sealed, steps, using } from "../store.test-support.js";

const bytes = Uint8Array.of(1, 2, 3);
const words = (nth: number, text: string): NewEvent => ({ type: "run.replanned", step: 1, nth, content: { text } });
const large = JSON.stringify({ text: "large" });
const events: readonly NewEvent[] = [
  { type: "step.started", step: 1 },
  words(1, "Change course."),
  words(2, "large"),
  {
    type: "file.kept",
    step: 1,
    call: "1.1" as never,
    path: "logo.png",
    state: "binary",
    digest: sha256(bytes),
    bytes: 3,
    content: { text: null },
  },
  { type: "step.finished", step: 1, changed: true, ends: null },
];

/** A closed store with one run: words beside their event, words in a blob, and a file that was kept. */
async function filled(): Promise<string> {
  const path = freshPath();
  const store = sqliteStore({ path });
  const rows = sealed(events).map((event, index) => (index === 2 ? { ...event, content: null } : event));
  await store.blobs.put(new TextEncoder().encode(large));
  await store.blobs.put(bytes);
  await store.append(await drive(store), run, rows);
  await store.close();
  return path;
}

async function checkAfter(sql: string): Promise<readonly string[]> {
  const path = await filled();
  bare(path).exec(sql);
  return using(sqliteStore({ path })).check();
}

describe("check of a file that is no store", () => {
  it.each([
    ["text", (path: string) => writeFileSync(path, "This is no database. ".repeat(500)), /file is not a database/],
    ["another database", (path: string) => void bare(path).exec("create table notes (text)"), /something else/],
    ["an empty file", (path: string) => writeFileSync(path, ""), /is empty\.$/],
    ["a folder", (path: string) => mkdirSync(path), /is not a file\.$/],
  ])("says so of %s, and leaves it alone", async (_what, make, words) => {
    const path = freshPath();
    make(path);

    for (const mend of [false, true]) {
      expect(await using(sqliteStore({ path })).check({ mend })).toEqual([
        expect.stringMatching(mend ? / stays\.$/ : words),
      ]);
    }
  });

  it("says of a newer format that this package is too old for it", async () => {
    expect(await checkAfter(`pragma user_version = ${formatVersion + 6}; drop view runs`)).toEqual([
      `It has format ${formatVersion + 6} and this package knows format ${formatVersion}, so only SQLite looked at it.`,
    ]);
  });
});

describe("check of damaged pages", () => {
  it("says what SQLite finds, and which run cannot be read", async () => {
    const path = await filled();
    const store = using(sqliteStore({ path }));
    const long = runId("long");
    await store.append(await drive(store, long), long, steps(200, long));
    await store.close();
    const pages = "select pageno from dbstat where name = 'events' and pagetype = 'leaf' order by pageno desc";
    const page = bare(path).prepare(pages).pluck().get() as number;
    writeFileSync(path, readFileSync(path).fill(0xab, (page - 1) * 4_096, page * 4_096));

    const found = await using(sqliteStore({ path })).check();

    expect(found[0]).toMatch(new RegExp(`^SQLite finds damage: .*page ${page}\\b`));
    expect(found.filter((sentence) => sentence.startsWith("Run"))).toEqual([
      `Run ${long} cannot be read: database disk image is malformed.`,
    ]);
  });

  it("says the same of a file so large that a thread looks at it", async () => {
    const path = await filled();
    const store = using(sqliteStore({ path }));
    const digest = await store.blobs.put(new Uint8Array(9 * 2 ** 20));
    await store.close();
    expect(await using(sqliteStore({ path })).check()).toEqual([]);
    const pages = "select pageno from dbstat where name = 'blobs' and pagetype = 'overflow' order by pageno desc";
    const page = bare(path).prepare(pages).pluck().get() as number;
    writeFileSync(path, readFileSync(path).fill(0xab, (page - 1) * 4_096, page * 4_096));

    expect(await using(sqliteStore({ path })).check()).toEqual([
      expect.stringMatching(/^SQLite finds damage: .*page number/),
      expect.stringMatching(`^Blob ${digest} `),
    ]);
  });

  it("says that the file was cut short", async () => {
    const path = await filled();
    truncateSync(path, 3 * 4_096);

    expect((await using(sqliteStore({ path })).check())[0]).toMatch(/malformed/);
  });

  it("finds a value that has another type than its column", async () => {
    const path = await filled();
    const lax = bare(path).unsafeMode(true);
    const schema = "pragma writable_schema = on; update sqlite_schema set sql";
    lax.exec(`${schema} = replace(sql, ') strict', ')') where name = 'leases'; pragma writable_schema = reset`);
    lax.exec("update leases set generation = 'many'");
    lax.exec(`${schema} = sql || ' strict' where name = 'leases'`);

    expect(await using(sqliteStore({ path })).check()).toEqual([
      expect.stringMatching(/^SQLite finds damage: .*leases\.generation/),
    ]);
  });
});

describe("check of runs", () => {
  it.each([
    ["facts that were edited", "update events set facts = replace(facts, 'true', 'trUe')", 5, "its facts"],
    ["facts that are no JSON any more", "update events set facts = substr(facts, 1, 40) where seq = 4", 4, "its facts"],
    ["words that were edited", "update events set content = replace(content, 'course', 'coarse')", 2, "its content"],
    ["an event that is gone", "delete from events where seq = 2", 3, "events between them are missing"],
    ["a blob that holds other words", "update blobs set bytes = x'7b7d' where length(bytes) > 3", 3, "its content"],
  ])("finds %s", async (_what, sql, seq, reason) => {
    expect(await checkAfter(sql)).toContainEqual(
      expect.stringMatching(`^Event ${seq} of run ${run} is not what was recorded: .*${reason}`),
    );
  });

  it("finds words that are neither beside their event nor in a blob", async () => {
    expect(await checkAfter("delete from blobs where length(bytes) > 3")).toEqual([
      `Event 3 of run ${run} has lost its words: they are neither beside it nor in a blob ${sha256(large)}.`,
    ]);
  });

  it("finds a kept file that is gone", async () => {
    expect(await checkAfter("delete from blobs where length(bytes) = 3")).toEqual([
      `Event 4 of run ${run} has lost the file it kept: there is no blob ${sha256(bytes)}.`,
    ]);
  });

  it("takes a run whose words are all gone for one that was emptied", async () => {
    expect(await checkAfter("delete from blobs; update events set content = null")).toEqual([]);
  });

  it("finds a blob that is not what its name says", async () => {
    expect(await checkAfter(`insert into blobs values ('${"0".repeat(64)}', x'00')`)).toEqual([
      `Blob ${"0".repeat(64)} is not what its name says: its bytes have the digest ${sha256(Uint8Array.of(0))}.`,
    ]);
  });
});

describe("check of rows", () => {
  it.each([
    [
      "events without a run",
      "update events set run = 77 where seq > 3",
      "There are 2 events under key 77, and no run has that key.",
    ],
    [
      "a run without its root",
      "update streams set root = 'gone'",
      `Run ${run} has gone as its root, and there is no run gone.`,
    ],
    [
      "a run without its parent",
      "update streams set parent = 'gone'",
      `Run ${run} has gone as its parent, and there is no run gone.`,
    ],
    [
      "an answer that cannot be read",
      "insert into answers (run, request, answer) values (1, 'q', '{')",
      `The answer to q of run ${run} is not JSON.`,
    ],
    [
      "an answer to no run",
      "insert into answers (run, request, answer) values (9, 'q', '{}')",
      "One answer belongs to no run; this can be mended.",
    ],
    [
      "leases of no run",
      "insert into leases values ('x', null, null, 1, 1, 1), ('y', 'o', null, 1, 1, 1)",
      "2 leases hold no run; this can be mended.",
    ],
    [
      "a table that is gone",
      "drop table answers",
      'The table "answers" is missing, and what depends on it was not looked at.',
    ],
    [
      "a table with other columns",
      "alter table leases add column more text",
      'The table "leases" is not the one this package makes, and what depends on it was not looked at.',
    ],
  ])("finds %s", async (_what, sql, sentence) => {
    expect(await checkAfter(sql)).toContain(sentence);
  });

  it("finds a lease from the future, which nobody can wait for", async () => {
    expect(await checkAfter("update leases set renewed_at = 4102444800000")).toEqual([
      `The lease of run ${run} was renewed at 2100-01-01T00:00:00.000Z, which is yet to come, so that it lapses only at ` +
        "2100-01-01T00:10:00.000Z; check the clock.",
    ]);
  });

  it("leaves alone what the file's owner has added", async () => {
    expect(
      await checkAfter("create table notes (text); create view mine as select 1; create index more on events (hash)"),
    ).toEqual([]);
  });
});

it("keeps runs apart: one that is damaged does not hide another", async () => {
  const path = await filled();
  const store = using(sqliteStore({ path }));
  const other = runId("run-2");
  await store.append(await drive(store, other), other, sealed(events, other));
  bare(path).exec("delete from events where seq = 1");

  const named = (await store.check()).map((sentence) => / of run (\S+) /.exec(sentence)?.[1]);

  expect(named).toEqual([run, other]);
});
