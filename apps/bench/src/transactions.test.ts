import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { type SeenTransactions, watchTransactions } from "./transactions.js";

let seen: SeenTransactions | undefined;
afterEach(() => seen?.stop());

function commitOnce(database: Database.Database): void {
  database.prepare("begin immediate").run();
  database.prepare("create table t (x)").run();
  database.prepare("commit").run();
}

describe("watchTransactions", () => {
  it("counts commits of any connection and times the longest transaction", () => {
    seen = watchTransactions();

    commitOnce(new Database(":memory:"));
    commitOnce(new Database(":memory:"));

    expect(seen.commits).toBe(2);
    expect(seen.longestMs).toBeGreaterThan(0);
  });

  it("counts no transaction that is rolled back", () => {
    seen = watchTransactions();
    const database = new Database(":memory:");

    database.prepare("begin").run();
    database.prepare("rollback").run();

    expect(seen.commits).toBe(0);
  });

  it("sees nothing once it was stopped", () => {
    seen = watchTransactions();
    seen.stop();

    commitOnce(new Database(":memory:"));

    expect(seen.commits).toBe(0);
  });
});
