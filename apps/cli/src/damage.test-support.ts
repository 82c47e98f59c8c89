// Damage to a stored event that only someone with the file in their hands can do, and that no store would.
import { createRequire } from "node:module";

interface Database {
  prepare(sql: string): { run(...values: readonly unknown[]): { readonly changes: number } };
  exec(sql: string): unknown;
  close(): void;
}

const changes = {
  content: "update events set content = replace(content, '\"', '''') where facts glob ?",
  // The time, by one.
  facts: "update events set facts = replace(facts, '\"at\":', '\"at\":1') where facts glob ?",
  // As retention does.
  emptied: "update events set content = null where facts glob ?",
  // As if an embedding program had started it, which has no module to name.
  provider: "update events set facts = json_remove(facts, '$.labels.provider') where facts glob ?",
  row: "delete from events where facts glob ?",
} as const;

/** Runs `sql` in the file at `path`. The driver is the store's own. */
export function execute(path: string, sql: string): void {
  const database = opened(path);
  database.exec(sql);
  database.close();
}

/** Does `what` to the first event of `type` in the store at `path`. */
export function damage(path: string, type: string, what: keyof typeof changes): void {
  const database = opened(path);
  const first = `${changes[what]} and rowid = (select min(rowid) from events where facts glob ?)`;
  const glob = `{"type":"${type}"*`;
  const { changes: rows } = database.prepare(first).run(glob, glob);
  database.close();
  if (rows !== 1) throw new Error(`There was no ${type} to damage.`);
}

function opened(path: string): Database {
  const load = createRequire(new URL("../../../packages/store-sqlite/package.json", import.meta.url));
  const Driver = load("better-sqlite3") as new (path: string) => Database;
  return new Driver(path);
}
