// Reading a stream, a page at a time. A page is asked for and answered whole, so no statement is open while the reader is
// busy with what it got.
import { type RunId, type StoredEvent, typeOf } from "@harness/spec";
import type { Connection } from "./connection.js";

/** A page ends after this many rows or characters; a single event may be longer. */
const pageRows = 256;
const pageChars = 2 ** 20;

const fields = "seq, facts, content, content_hash as contentHash, hash";
const stream = "run = (select key from streams where id = ?)";
const selectPage = `select ${fields} from events where ${stream} and seq > ? order by seq`;
const selectLast = `select ${fields} from events where ${stream} order by seq desc limit 1`;

export interface Page {
  readonly events: readonly StoredEvent[];
  /** When there may be more: at once, when somebody appends, or never, because the run is finished. */
  readonly more: "now" | "later" | "never";
}

export function eventsAfter({ statement }: Connection, run: RunId, position: number): Page {
  const events: StoredEvent[] = [];
  let chars = 0;
  for (const row of statement(selectPage).iterate(run, position)) {
    const event = row as StoredEvent;
    events.push(event);
    chars += event.facts.length + (event.content?.length ?? 0);
    if (events.length >= pageRows || chars >= pageChars) return { events, more: "now" };
  }
  const last = events.at(-1) ?? (statement(selectLast).get(run) as StoredEvent | undefined);
  return { events, more: last && typeOf(last) === "run.finished" ? "never" : "later" };
}
