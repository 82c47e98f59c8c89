// Damage to a stored event that only someone with the file in their hands can do, and that no store would.
import { createRequire } from "node:module";

interface Database {
  prepare(sql: string): { run(...values: readonly unknown[]): { readonly changes: number } };
  close(): void;
}

const changes = {
  content: "update events set content = replace(content, '\"', '''') where facts glob ?",
  // The time, by one.
  facts: "update events set facts = replace(facts, '\"at\":', '\"at\":1') where facts glob ?",
  row: "delete from events where facts glob ?",
} as const;

/** Does `what` to the first event of `type` in the store at `path`. The driver is the store's own. */
export function damage(path: string, type: string, what: keyof typeof changes): void {
  const load = createRequire(new URL("../../../packages/store-sqlite/package.json", import.meta.url));
  const Driver = load("better-sqlite3") as new (path: string) => Database;
  const database = new Driver(path);
  const first = `${changes[what]} and rowid = (select min(rowid) from events where facts glob ?)`;
  const glob = `{"type":"${type}"*`;
  const { changes: rows } = database.prepare(first).run(glob, glob);
  database.close();
  if (rows !== 1) throw new Error(`There was no ${type} to damage.`);
}
