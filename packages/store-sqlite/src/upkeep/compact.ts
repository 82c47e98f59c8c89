// Giving space back: the file is written anew without what was deleted, and its log is taken in. That is one piece of work which
// holds the file's write lock as long as it takes, so it is not begun while anybody drives, and it is done in a thread of its own.
import { StoreError } from "@harness/spec";
import { type Connection, nameOf, type Source } from "../connection.js";
import type { Handle } from "../handle.js";
import type { Owners } from "../owners.js";
import { askInThread } from "../sql-thread.js";
import { drivenTrees } from "./driven-trees.js";
import { weighStore } from "./weigh.js";

const steps = ["vacuum", "pragma wal_checkpoint(truncate)"] as const;
export interface CompactOptions {
  readonly source: Source;
  readonly busyTimeoutMs: number;
  readonly look: Handle["look"];
  readonly owners: Owners;
}

/** Resolves to the bytes that were given back. Rejects with `StoreError` (`busy`) while a run is being driven. */
export async function compactStore({ source, busyTimeoutMs, look, owners }: CompactOptions): Promise<number> {
  const before = await look("compact the store", (connection) => {
    connection.assertWritable();
    refuseWhileDriven(connection, nameOf(source), owners);
    return weighStore(connection, source);
  });
  if ("database" in source) await look("compact the store", compactHere);
  else await askInThread({ path: nameOf(source), busyTimeoutMs, attempt: "compact", statements: steps });
  const after = await look("weigh the store", (connection) => weighStore(connection, source));
  return Math.max(0, before - after);
}

function compactHere({ statement }: Connection): void {
  statement(steps[0]).run();
  statement(steps[1]).all();
}

function refuseWhileDriven({ statement }: Connection, name: string, owners: Owners): void {
  const [driven] = drivenTrees(statement, owners);
  if (!driven) return;
  const until = new Date(driven.expiresAt).toISOString();
  throw new StoreError(
    "busy",
    `Could not compact ${name}: run ${driven.root} is being driven by ${driven.owner}, whose lease lasts until ${until}, and would ` +
      "have to wait for it. Compact when nothing runs.",
  );
}
