// Reading a stream, a page at a time. A page is asked for and answered whole, so no statement is open while the reader is
// busy with what it got.
import { type RunId, type StoredEvent, typeOf } from "@harness/spec";
import type { Connection } from "./connection.js";

/** Rows of a page: few at first, more while they are small, since one question for many rows is what makes reading fast. */
const firstRows = 32;
const mostRows = 512;
/** About how many characters a page should have. */
const pageChars = 2 ** 20;

const fields = "seq, facts, content, content_hash as contentHash, hash";
const stream = "run = (select key from streams where id = ?)";
const selectPage = `select ${fields} from events where ${stream} and seq > ? order by seq limit ?`;
const selectLast = `select ${fields} from events where ${stream} order by seq desc limit 1`;

export interface Page {
  readonly events: readonly StoredEvent[];
  /** When there may be more: at once, when somebody appends, or never, because the run is finished. */
  readonly more: "now" | "later" | "never";
  /** How many rows the next page should ask for. */
  readonly rows: number;
}

export function eventsAfter({ statement }: Connection, run: RunId, position: number, rows = firstRows): Page {
  const events = statement(selectPage).all(run, position, rows) as readonly StoredEvent[];
  if (events.length === rows) return { events, more: "now", rows: nextRows(events) };
  const last = events.at(-1) ?? (statement(selectLast).get(run) as StoredEvent | undefined);
  return { events, more: last && typeOf(last) === "run.finished" ? "never" : "later", rows };
}

/** As many as fit by the look of these, and no more than twice as many. */
function nextRows(events: readonly StoredEvent[]): number {
  let chars = 1;
  for (const { facts, content } of events) chars += facts.length + (content?.length ?? 0);
  const fitting = Math.floor((events.length * pageChars) / chars);
  return Math.max(1, Math.min(fitting, 2 * events.length, mostRows));
}
