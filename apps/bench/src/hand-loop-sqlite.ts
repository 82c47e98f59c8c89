// The baseline with durability: the hand loop, and after its completion and after its tool a transaction each. The rows are as
// long as ours: a hash stands where ours has one, the event's JSON where ours has facts and words.
import Database from "better-sqlite3";
import { type HandLog, handLoop } from "./hand-loop.js";
import type { Loop } from "./per-step.js";
import { readTool } from "./scripted-work.js";

/** What a commit survives: a power cut, or the end of the process. */
export type Durability = "power" | "process";

/** A file for hand loops. */
export interface HandDatabase {
  /** One loop, one commit after the other. */
  readonly run: Loop;
  close(): void;
}

const table = `
create table events (
  run integer not null,
  seq integer not null,
  hash text not null,
  content_hash text,
  event text not null,
  unique (run, seq)
) strict`;

const hash = "0".repeat(64);

/** Opens a new database at `path`. */
export function handDatabase(path: string, durability: Durability): HandDatabase {
  const database = new Database(path);
  database.pragma("journal_mode = wal");
  database.pragma(`synchronous = ${durability === "power" ? "full" : "normal"}`);
  database.exec(table);
  const insert = database.prepare("insert into events values (?, ?, ?, ?, ?)");
  const insertAll = database.transaction((run: number, before: number, events: readonly object[]) => {
    for (const [index, event] of events.entries()) {
      insert.run(run, before + index + 1, hash, "content" in event ? hash : null, JSON.stringify(event));
    }
  });
  let runs = 0;

  function log(run: number): HandLog {
    let seq = 0;
    let batch: object[] = [];
    return {
      add: (event) => void batch.push(event),
      commit() {
        insertAll(run, seq, batch);
        seq += batch.length;
        batch = [];
      },
    };
  }

  return {
    run(model, steps) {
      runs += 1;
      return handLoop(model, readTool(), steps, log(runs));
    },
    close: () => void database.close(),
  };
}
