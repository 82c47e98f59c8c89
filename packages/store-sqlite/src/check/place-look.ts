// Where the file lies, before it is opened: whether there is one, and on what.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { nameOf, type Source } from "../connection.js";
import { storeFailure } from "../failures.js";
import { type PlaceOptions, unsafeFileSystem } from "../filesystem.js";
import type { Fault } from "./fault.js";

export interface PlaceFault extends Fault {
  /** There is nothing there to look into. */
  readonly isEnd: boolean;
}

/** Rejects with `StoreError` where the file may not be looked at. */
export async function placeFaults(
  source: Exclude<Source, { readonly database: unknown }>,
  { typeOf }: Pick<PlaceOptions, "typeOf"> = {},
): Promise<readonly PlaceFault[]> {
  const path = nameOf(source);
  const end = (what: string) => [{ what, isEnd: true }];
  const file = await stat(path).catch((error: { code?: unknown }) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw storeFailure(error, `check the store ${path}`);
  });
  if (!file) return end(`There is no file ${path}`);
  if (!file.isFile()) return end(`${path} is not a file`);
  // Not even opened: SQLite would remove a log that lies beside an empty file.
  if (file.size === 0) return end(`The file ${path} is empty`);
  const unsafe = source.allowNetworkFilesystem ? undefined : await unsafeFileSystem(dirname(path), typeOf);
  if (unsafe === undefined) return [];
  const what = `It lies on ${unsafe}, where SQLite's locks cannot be relied on and a second machine can destroy it`;
  return [{ what, isEnd: false }];
}
