// A check of a file with which nothing is wrong: it finds nothing, whatever has happened to the store, and it leaves no trace.
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type NewEvent, type QuestionId, type RunId, runId, type StoredEvent } from "@harness/spec";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteStore } from "../sqlite-store.js";
import { bare, drive, freshPath, run, sealed, steps, using } from "../store.test-support.js";

const text = (nth: number, words: string): NewEvent => ({
  type: "run.replanned",
  step: 1,
  nth,
  content: { text: words },
});

const emptied = (event: StoredEvent): StoredEvent => ({ ...event, content: null });

/** A store in which everything has happened that may, closed. */
async function wellUsed(path = freshPath()): Promise<string> {
  const store = sqliteStore({ path });
  const lease = await drive(store);
  const [first, large] = sealed([text(1, "Change course."), text(2, "a".repeat(1_000))]) as [StoredEvent, StoredEvent];
  await store.blobs.put(new TextEncoder().encode(large.content ?? ""));
  await store.append(lease, run, [first, emptied(large)]);
  await store.answer(run, { type: "question", request: "run-1/1.1" as QuestionId, by: "ops", text: "yes" });
  await store.create({ id: runId("run-1/1.1"), root: run, parent: run, createdAt: 1 });
  await store.release(lease);

  const archived = runId("archived");
  const all = sealed([text(1, "Old."), text(2, "Older.")], archived);
  await store.append(await drive(store, archived), archived, all.map(emptied));
  await store.acquire(archived, "elsewhere:1:a", 1);
  await store.acquire(runId("about to be created"), "elsewhere:1:a", 600_000);
  await store.blobs.put(Uint8Array.of(1, 2, 3));
  await store.close();
  return path;
}

const filesBeside = (path: string) => readdirSync(dirname(path)).sort();

describe("check", () => {
  it("finds nothing wrong with a store that was used", async () => {
    const path = await wellUsed();

    expect(await using(sqliteStore({ path })).check()).toEqual([]);
    expect(await using(sqliteStore({ path })).check({ mend: true })).toEqual([]);
    expect(await using(sqliteStore({ path, readonly: true })).check()).toEqual([]);
    expect(await using(sqliteStore({ database: bare(path) })).check()).toEqual([]);
  });

  it("finds nothing wrong with a store that has just been made, or is in memory", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    await store.runs();
    expect(await store.check()).toEqual([]);

    const inMemory = using(sqliteStore({ database: bare(":memory:") }));
    await inMemory.append(await drive(inMemory), run, steps(3));
    expect(await inMemory.check()).toEqual([]);
  });

  it("leaves the file as it was, and nothing beside it", async () => {
    const path = await wellUsed();
    const [bytes, files] = [readFileSync(path), filesBeside(path)];
    const store = sqliteStore({ path });

    await store.check();
    await store.close();

    expect(filesBeside(path)).toEqual(files);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("makes nothing where there is nothing, and says so", async () => {
    const path = freshPath();
    for (const options of [{ path }, { path, readonly: true }]) {
      expect(await using(sqliteStore(options)).check()).toEqual([`There is no file ${path}.`]);
    }
    expect(existsSync(path)).toBe(false);

    const database = bare(":memory:");
    expect(await using(sqliteStore({ database })).check()).toEqual([expect.stringContaining("it is empty")]);
    expect(database.prepare("select count(*) as n from sqlite_schema").get()).toEqual({ n: 0 });
  });

  it("goes on beside those who write", async () => {
    const path = await wellUsed();
    const [store, writer] = [using(sqliteStore({ path })), using(sqliteStore({ path }))];
    const id = runId("busy");
    const lease = await drive(writer, id);
    const events = steps(200, id);

    const checks = Array.from({ length: 3 }, () => store.check());
    for (const event of events) await writer.append(lease, id, [event]);

    expect(await Promise.all(checks)).toEqual([[], [], []]);
  });

  it("sees what is only in the log of a process that was killed", async () => {
    const path = freshPath();
    const copy = freshPath();
    const store = using(sqliteStore({ path }));
    await store.append(await drive(store), run, steps(3));
    for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);

    expect(await using(sqliteStore({ path: copy })).check()).toEqual([]);
    bare(copy).exec("update events set facts = replace(facts, '2', '3') where seq = 2");
    expect(await using(sqliteStore({ path: copy })).check()).toHaveLength(1);
  });

  it("gives the event loop its turn, in a long run as between many short ones", async () => {
    const store = using(sqliteStore({ path: freshPath() }));
    await store.append(await drive(store), run, steps(1_000));
    for (let nth = 0; nth < 100; nth++) {
      const id = `short-${nth}` as RunId;
      const lease = await drive(store, id);
      if (nth % 2 === 0) await store.append(lease, id, steps(3, id));
    }
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    onTestFinished(() => clock.mockRestore());
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();

    expect(await store.check()).toEqual([]);
    isOver = true;

    expect(turns).toBeGreaterThan(100);
  });
});

describe("check and close", () => {
  it("is cut short when the store is closed, and refused afterwards", async () => {
    const store = sqliteStore({ path: await wellUsed() });
    const cut = expect(store.check()).rejects.toMatchObject({ code: "store-failed", kind: "closed" });

    await store.close();

    await cut;
    await expect(store.check()).rejects.toMatchObject({ kind: "closed" });
  });

  it("rejects when the file stays locked, because that is no fault of the file", async () => {
    const path = await wellUsed();
    const holder = bare(path);
    holder.pragma("locking_mode = exclusive");
    holder.exec("begin exclusive");

    await expect(using(sqliteStore({ path, busyTimeoutMs: 30 })).check()).rejects.toMatchObject({ kind: "busy" });
  });
});
