// Reading a stream, a page at a time. A page is asked for and answered whole, so no statement is open while the reader is
// busy with what it got.
import type { Digest, RunId, RunState, StoredEvent } from "@harness/spec";
import type { Connection } from "./connection.js";
import type { SqliteStatement } from "./driver.js";
import { runState, withoutRewinds } from "./run-state.js";

/** Rows of a page: few at first, more while they are small, since one question for many rows is what makes reading fast. */
const firstRows = 32;
const mostRows = 512;
/** About how many characters a page should have. */
const pageChars = 2 ** 17;

const fields = "seq, facts, content, content_hash as contentHash, hash";
const selectPage = `select ${fields} from events where run = (select key from streams where id = ?) and seq > ? order by seq limit ?`;
const selectState = `select (${withoutRewinds(runState("facts"))}) as state from streams where id = ?`;

export interface Page {
  readonly events: readonly StoredEvent[];
  /** When there may be more: at once, when somebody appends, or never, because the run has ended or because there is none. */
  readonly more: "now" | "later" | "never" | "no-run";
  /** How many rows the next page should ask for. */
  readonly rows: number;
}

export function eventsAfter({ statement }: Connection, run: RunId, position: number, rows = firstRows): Page {
  const events = eventsFrom(statement(selectPage), run, position, rows);
  if (events.length === rows) return { events, more: "now", rows: nextRows(events) };
  const found = statement(selectState).get(run) as { readonly state: RunState | null } | undefined;
  return { events, more: found ? (found.state === "ended" ? "never" : "later") : "no-run", rows };
}

type Row = readonly [seq: number, facts: string, content: string | null, contentHash: Digest | null, hash: Digest];

/** A driver takes as long to make objects of its rows as to find them. */
function eventsFrom(page: SqliteStatement, ...asked: readonly unknown[]): readonly StoredEvent[] {
  if (!page.raw) return page.all(...asked) as readonly StoredEvent[];
  const rows = page.raw().all(...asked) as readonly Row[];
  return rows.map(([seq, facts, content, contentHash, hash]) => ({ seq, facts, content, contentHash, hash }));
}

/** As many as fit by the look of these, and no more than twice as many. */
function nextRows(events: readonly StoredEvent[]): number {
  let chars = 1;
  for (const { facts, content } of events) chars += facts.length + (content?.length ?? 0);
  const fitting = Math.floor((events.length * pageChars) / chars);
  return Math.max(1, Math.min(fitting, 2 * events.length, mostRows));
}
