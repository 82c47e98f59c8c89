// Who names a blob: events that have their words or a file in it. A run whose words were emptied names none any more. Bytes that
// were put more often than they are named are about to be named, by a driver that has put them and not yet appended the event;
// they stay for a while, because an event without its words would be worse than bytes without an event.
import { hasWordsElsewhere, keepsFile, keptDigest } from "../schema.js";
import type { Transaction } from "../transaction.js";

/** How long bytes that were put and not named may still be about to be. */
const settledMs = 3_600_000;

// Values are by position, and these are needed more than once.
const given = "given (keys, now) as (select ?, ?)";
const inRuns = "run in (select value from given, json_each(given.keys))";
const isKept = "exists (select 1 from streams where streams.key = run and archived_at is null)";

/** Every naming by the runs with the given keys. */
const namings = `
  select content_hash as digest from events where ${inRuns} and ${hasWordsElsewhere} and ${isKept}
  union all
  select ${keptDigest} from events where ${inRuns} and ${keepsFile} and ${isKept}`;

/** How many events name `digest`, an expression, and are not in `besides`. */
function namersOf(digest: string, besides: string): string {
  const those = `${isKept} ${besides}`;
  return `(
    (select count(*) from events where content_hash = ${digest} and ${hasWordsElsewhere} and ${those}) +
    (select count(*) from events where ${keptDigest} = ${digest} and ${keepsFile} and ${those}))`;
}

// Of blobs that these runs name, and no others.
const selectDropped = `
  with ${given}, mine as (select digest, count(*) as times from (${namings}) group by digest)
  select blobs.digest, octet_length(bytes) as bytes from mine join blobs using (digest)
  where ${namersOf("mine.digest", `and not ${inRuns}`)} = 0
    and not exists (
      select 1 from blob_puts, given
      where digest = mine.digest and blob_puts.times > mine.times and last_at > now - ${settledMs})`;

const settle = `
  with ${given}, mine as (select digest, count(*) as times from (${namings}) group by digest)
  update blob_puts set times = times - (select times from mine where mine.digest = blob_puts.digest)
  where digest in (select digest from mine)`;

const listed = "digest in (select value from json_each(?))";

export interface DroppedBlobs {
  readonly digests: readonly string[];
  readonly bytes: number;
}

/** The blobs that go when the runs with `keys` go. */
export function blobsOf(statement: Transaction["statement"], keys: readonly number[], now: number): DroppedBlobs {
  return weighed(statement(selectDropped).all(JSON.stringify(keys), now));
}

function weighed(rows: readonly unknown[]): DroppedBlobs {
  const blobs = rows as readonly { readonly digest: string; readonly bytes: number }[];
  return { digests: blobs.map(({ digest }) => digest), bytes: blobs.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Removes those blobs, and what was noted of others that the runs name. Before the runs' events are touched. */
export function dropBlobsOf({ statement, now }: Transaction, keys: readonly number[]): DroppedBlobs {
  const dropped = blobsOf(statement, keys, now());
  statement(settle).run(JSON.stringify(keys), null);
  dropBlobs(statement, dropped.digests);
  return dropped;
}

function dropBlobs(statement: Transaction["statement"], digests: readonly string[]): void {
  for (const table of ["blobs", "blob_puts"]) {
    statement(`delete from ${table} where ${listed}`).run(JSON.stringify(digests));
  }
}

const isStray = `
  ${namersOf("blobs.digest", "")} = 0
  and not exists (select 1 from blob_puts where digest = blobs.digest and last_at > ? - ${settledMs})`;
const selectStray = `select digest, octet_length(bytes) as bytes from blobs where ${isStray}`;

/** Blobs that no event names and nobody is about to. */
export function strayBlobs(statement: Transaction["statement"], now: number): DroppedBlobs {
  return weighed(statement(selectStray).all(now));
}

export function dropStrayBlobs({ statement, now }: Transaction): void {
  dropBlobs(statement, strayBlobs(statement, now()).digests);
}
