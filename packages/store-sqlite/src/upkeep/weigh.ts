// What the store and a run weigh. A run's bytes are those of its rows and of the blobs that only it names, which is what deleting
// it frees; pages and indexes come on top.
import { statSync } from "node:fs";
import { type RunId, StoreError } from "@harness/spec";
import { type Connection, nameOf, type Source } from "../connection.js";
import { formatVersion } from "../schema.js";
import { blobsOf } from "./blob-names.js";
import { runsUnder } from "./tree-runs.js";

const inRuns = "run in (select value from given, json_each(given.keys))";
const selectBytes = `
  with given (keys) as (select ?)
  select coalesce(sum(bytes), 0) as bytes from (
    select octet_length(facts) + octet_length(hash) + coalesce(octet_length(content_hash), 0)
      + coalesce(octet_length(content), 0) as bytes from events where ${inRuns}
    union all
    select octet_length(request) + octet_length(answer) from answers where ${inRuns}
  )`;
const selectPages = "select page_count * page_size as bytes from pragma_page_count, pragma_page_size";

/** Of the rows of the runs with `keys`. */
export function weighRows(statement: Connection["statement"], keys: readonly number[]): number {
  return (statement(selectBytes).get(JSON.stringify(keys)) as { readonly bytes: number }).bytes;
}

/** Of `run` and everything under it; 0 for an unknown one. Throws `StoreError` where the file does not say who names which blob. */
export function weighRun({ statement, format }: Connection, run: RunId, now: number): number {
  if (format < formatVersion) {
    throw new StoreError(
      "readonly",
      `Could not weigh run ${run}: the file has format ${format}, of a former release, and was opened for reading only. ` +
        "Open it once without `readonly`, which brings it up.",
      { runId: run },
    );
  }
  const keys = runsUnder({ statement }, run).map(({ key }) => key);
  return keys.length === 0 ? 0 : weighRows(statement, keys) + blobsOf(statement, keys, now).bytes;
}

/** Of the file with what lies beside it; for a connection of the caller's, of its pages. */
export function weighStore({ statement }: Connection, source: Source): number {
  if ("database" in source) return (statement(selectPages).get() as { readonly bytes: number }).bytes;
  return weighFiles(nameOf(source));
}

function weighFiles(path: string): number {
  const sizes = ["", "-wal", "-shm"].map(
    (suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
