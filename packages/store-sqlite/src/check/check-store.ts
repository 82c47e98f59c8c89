// What is wrong with a file, in the order in which it is looked for: where it lies, whether it is a store, and then everything in
// it. It is looked at through a connection of its own, which neither makes nor changes anything; only mending writes, through
// the store's queue and one fault at a time, and never to an event.
import { StoreError, type StoreUpkeep } from "@harness/spec";
import { type ConnectionOptions, nameOf } from "../connection.js";
import { type Handle, openHandle } from "../handle.js";
import { formatVersion } from "../schema.js";
import { storeOver } from "../store-over.js";
import { blobLook } from "./blob-look.js";
import { engineLook } from "./engine-look.js";
import { type Fault, failed, found, isDamage, mended, stays, wordsOf } from "./fault.js";
import { type Inspection, type Look, rests } from "./inspection.js";
import { placeFaults } from "./place-look.js";
import { rowLook } from "./row-look.js";
import { runLook } from "./run-look.js";
import { schemaLook } from "./schema-look.js";
import { strayLook } from "./stray-look.js";

export interface CheckOptions extends ConnectionOptions {
  readonly mend: boolean;
  /** The store's own way to write. */
  readonly write: Handle["write"];
  /** Its reason is what the check rejects with when it fires. */
  readonly signal: AbortSignal;
}

/** The store's `check`: a sentence for every fault. Rejects with `StoreError` where the file cannot be looked at, or mended. */
export async function checkStore(options: CheckOptions): ReturnType<StoreUpkeep["check"]> {
  const { source, mend, write } = options;
  if (mend && !("database" in source) && source.readonly) {
    throw new StoreError(
      "readonly",
      `Could not mend ${nameOf(source)}: it was opened for reading only. Open it without \`readonly\`.`,
    );
  }
  const sentences: string[] = [];
  for await (const fault of faultsOf(options)) sentences.push(mend ? await mending(fault, write) : found(fault));
  return sentences;
}

async function* faultsOf({ signal, mend: _mend, write: _write, ...opened }: CheckOptions): AsyncGenerator<Fault> {
  const { source, busyTimeoutMs } = opened;
  const place = "database" in source ? [] : await placeFaults(source);
  yield* place;
  if (place.some(({ isEnd }) => isEnd)) return;

  const handle = openHandle({ ...opened, isInspection: true });
  const { look } = handle;
  const inspection = { source, busyTimeoutMs, look, store: storeOver(handle), rest: rests(signal) };
  try {
    yield* contentFaults(inspection);
  } finally {
    await handle.close();
  }
}

async function* contentFaults(inspection: Inspection): AsyncGenerator<Fault> {
  const format = await formatOf(inspection);
  if (typeof format === "object") {
    yield format;
    return;
  }
  yield* guarded(engineLook, inspection);
  if (format > formatVersion) {
    yield {
      what: `It has format ${format} and this package knows format ${formatVersion}, so only SQLite looked at it`,
    };
    return;
  }
  let hasTables = true;
  for await (const fault of guarded(schemaLook, inspection)) {
    hasTables &&= fault.remedy !== undefined;
    yield fault;
  }
  if (!hasTables) return;
  let isWhole = true;
  for (const look of [rowLook, runLook, blobLook]) {
    for await (const fault of guarded(look, inspection)) {
      isWhole &&= fault.remedy !== undefined;
      yield fault;
    }
  }
  if (isWhole) yield* guarded(strayLook, inspection);
}

/** The file's format, or why it has none. */
async function formatOf({ look }: Inspection): Promise<number | Fault> {
  try {
    return await look("check the format", ({ format }) => format);
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (error.cause === undefined) return { what: wordsOf(error) };
    return { what: `The file cannot be read as a store: ${wordsOf(error)}` };
  }
}

async function* guarded({ at, faults }: Look, inspection: Inspection): AsyncGenerator<Fault> {
  try {
    yield* faults(inspection);
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { what: `${at} cannot be read: ${wordsOf(error)}` };
  }
}

async function mending(fault: Fault, write: Handle["write"]): Promise<string> {
  const { remedy } = fault;
  if (!remedy) return stays(fault);
  try {
    await write({ attempt: "mend the store", rows: 1, work: remedy.work });
    return mended(fault, remedy);
  } catch (error) {
    return failed(fault, error);
  }
}
