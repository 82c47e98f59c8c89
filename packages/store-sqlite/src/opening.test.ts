// What happens to the file: where it may lie, who may read it, and what is no store.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { SqliteStatement } from "./driver.js";
import { applicationId, formatVersion, layouts, views } from "./schema.js";
import { sqliteStore } from "./sqlite-store.js";
import { bare, collect, drive, freshPath, run, steps, using } from "./store.test-support.js";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** A store with three events, closed again. */
async function filled(): Promise<string> {
  const path = freshPath();
  const store = sqliteStore({ path });
  await store.append(await drive(store), run, steps(3));
  await store.close();
  return path;
}

describe("sqliteStore as a file", () => {
  it.skipIf(process.platform === "win32")(
    "is made with its folder on first use, for its owner only [no modes on Windows]",
    async () => {
      const path = join(dirname(freshPath()), "a", "b", "runs.db");
      const store = using(sqliteStore({ path }));
      expect(existsSync(dirname(path))).toBe(false);

      await drive(store);

      expect([dirname(path), dirname(dirname(path))].map(modeOf)).toEqual(["700", "700"]);
      expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "leaves the mode of a file and a folder that are there [no modes on Windows]",
    async () => {
      const path = freshPath();
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "", { mode: 0o640 });

      await drive(using(sqliteStore({ path })));

      expect(modeOf(path)).toBe("640");
    },
  );

  it("is taken for what it is by one who looks while another makes it", async () => {
    const path = freshPath();
    mkdirSync(dirname(path), { recursive: true });
    const [mine, theirs] = [bare(path), bare(path)];
    const make = `begin; ${layouts.join("")} ${views} pragma application_id = ${applicationId}; pragma user_version = ${formatVersion}; commit`;
    let isMade = false;
    const prepare = (sql: string): SqliteStatement => {
      const statement: SqliteStatement = mine.prepare(sql);
      const get = statement.get.bind(statement);
      return Object.assign(statement, {
        get(...values: readonly unknown[]) {
          const row = get(...values);
          if (!isMade) theirs.exec(make);
          isMade = true;
          return row;
        },
      });
    };
    const store = using(sqliteStore({ database: { prepare, exec: (sql) => mine.exec(sql), close: () => {} } }));

    expect(await store.runs()).toEqual([]);
    expect(isMade).toBe(true);
  });

  it("says what it is and of which format", async () => {
    const database = bare(await filled());

    expect(database.pragma("application_id", { simple: true })).toBe(applicationId);
    expect(database.pragma("user_version", { simple: true })).toBe(formatVersion);
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
  });

  it("holds these tables and views, and no others", async () => {
    const rows = bare(await filled())
      .prepare("select type, name from sqlite_schema where type in ('table', 'view') order by type, name")
      .all() as { type: string; name: string }[];

    expect(rows.map(({ type, name }) => `${type} ${name}`)).toEqual([
      "table answers",
      "table blob_puts",
      "table blobs",
      "table events",
      "table leases",
      "table streams",
      "view provider_calls",
      "view refusals",
      "view runs",
      "view spend",
      "view steps",
      "view tool_calls",
    ]);
  });

  it("is one file again after close", async () => {
    const path = await filled();

    expect([path, `${path}-wal`, `${path}-shm`].map((name) => existsSync(name))).toEqual([true, false, false]);
  });

  it("is read and not written when its format is newer", async () => {
    const path = await filled();
    bare(path).pragma(`user_version = ${formatVersion + 6}`);
    const store = using(sqliteStore({ path }));

    expect(await collect(store.read(run))).toEqual(steps(3));
    expect(await store.runs()).toHaveLength(1);
    for (const write of [drive(store), store.acquire(run, "elsewhere:1:a", 1), store.blobs.put(new Uint8Array(1))]) {
      await expect(write).rejects.toMatchObject({
        kind: "newer-format",
        message: expect.stringMatching(`format ${formatVersion + 6}.*format ${formatVersion}`),
      });
    }
  });

  it("is not taken for a store when it is something else", async () => {
    const text = freshPath();
    writeFileSync(text, "This is no database. ".repeat(500));
    const foreign = freshPath();
    bare(foreign).exec("create table notes (text)");
    const damaged = await filled();
    writeFileSync(damaged, readFileSync(damaged).fill(0xab, 0, 8_192));

    for (const path of [text, foreign, damaged]) {
      const store = using(sqliteStore({ path }));
      const before = readFileSync(path);
      await expect(store.runs()).rejects.toMatchObject({ code: "store-failed", kind: "corrupt", isRetryable: false });
      await expect(drive(store)).rejects.toMatchObject({ kind: "corrupt", message: expect.stringContaining(path) });
      expect(readFileSync(path)).toEqual(before);
    }
  });

  it("rejects a read of damaged pages with the engine's words", async () => {
    const path = await filled();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xab, 2 * 4_096));

    await expect(collect(using(sqliteStore({ path })).read(run))).rejects.toMatchObject({
      kind: "corrupt",
      message: expect.stringContaining("malformed"),
    });
  });

  it("opens on a later call when an earlier one could not", async () => {
    const path = freshPath();
    writeFileSync(path, "not yet");
    const store = using(sqliteStore({ path }));
    await expect(store.runs()).rejects.toMatchObject({ kind: "corrupt" });

    writeFileSync(path, "");

    expect(await store.runs()).toEqual([]);
  });

  it("only reads when told to, and creates nothing", async () => {
    const path = await filled();
    const store = using(sqliteStore({ path, readonly: true }));

    expect(await collect(store.read(run))).toEqual(steps(3));
    await expect(drive(store)).rejects.toMatchObject({ kind: "readonly", message: expect.stringContaining(path) });
    const absent = freshPath();
    await expect(using(sqliteStore({ path: absent, readonly: true })).runs()).rejects.toMatchObject({ kind: "other" });
    expect(existsSync(absent)).toBe(false);
  });

  it("follows for reading only what another handle writes", async () => {
    const path = await filled();
    const writer = using(sqliteStore({ path }));
    const lease = await writer.acquire(run, "elsewhere:1:a", 60_000);
    const reader = using(sqliteStore({ path, readonly: true }));

    const stop = new AbortController();
    const seqs: number[] = [];
    for await (const { seq } of reader.read(run, { follow: stop.signal })) {
      if (seqs.push(seq) === 3) await writer.append(lease, run, steps(4).slice(3));
      if (seq === 4) stop.abort();
    }

    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it("is refused when the path names no file", () => {
    for (const path of ["", ":memory:"]) expect(() => sqliteStore({ path })).toThrow(ConfigError);
  });

  it("says so when the path cannot be written", async () => {
    const folder = dirname(freshPath());
    writeFileSync(join(folder, "file"), "");

    await expect(using(sqliteStore({ path: join(folder, "file", "runs.db") })).runs()).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringContaining("open the store"),
    });
  });

  it("syncs what its durability asks for", async () => {
    for (const [durability, synchronous] of [
      ["power", 2],
      ["process", 1],
      [undefined, 2],
    ] as const) {
      const database = bare(freshPath());
      await using(sqliteStore({ database, ...(durability && { durability }) })).runs();
      expect(database.pragma("synchronous", { simple: true })).toBe(synchronous);
    }
  });
});
