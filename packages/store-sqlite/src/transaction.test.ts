import { expect, it, onTestFinished } from "vitest";
import { type Connection, connect } from "./connection.js";
import { freshPath, run } from "./store.test-support.js";
import { createStream } from "./streams.js";
import { transactions } from "./transaction.js";

const record = { id: run, root: run, parent: null, createdAt: 1 };

async function open(): Promise<Connection> {
  const source = { path: freshPath(), readonly: false, allowNetworkFilesystem: false };
  const connection = await connect({ source, durability: "process", busyTimeoutMs: 1_000 });
  onTestFinished(() => connection.close());
  return connection;
}

it("remembers nothing of a transaction that was undone", async () => {
  const { begin, commit, rollback } = transactions(await open());
  const undone = begin();
  createStream(undone, record);
  expect(undone.stream(run)).toMatchObject({ root: run, seq: 0 });
  rollback();

  const next = begin();
  expect(next.stream(run)).toBeUndefined();
  commit();
});

it("remembers what it committed, without asking again", async () => {
  const connection = await open();
  const asked: string[] = [];
  const statement = (sql: string) => {
    asked.push(sql);
    return connection.statement(sql);
  };
  const { begin, commit } = transactions({ ...connection, statement });
  createStream(begin(), record);
  commit();
  begin().stream(run);
  commit();
  asked.length = 0;

  const tx = begin();
  tx.stream(run);
  commit();

  expect(asked.filter((sql) => sql.startsWith("select"))).toEqual([]);
});
