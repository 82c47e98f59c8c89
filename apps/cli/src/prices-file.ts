// A table of prices from a file named on the command line.
import { resolve } from "node:path";
import { type PriceTable, priceTable } from "@harness/spec";
import { readJsonFile } from "./json-file.js";
import type { Terminal } from "./process-terminal.js";

/** Relative to where the command was typed; `undefined` where no file was named. Throws `ConfigError` for one that is none. */
export async function readPrices({ cwd }: Terminal, file: string | undefined): Promise<PriceTable | undefined> {
  return file === undefined ? undefined : priceTable(await readJsonFile(resolve(cwd, file), "price table"));
}
