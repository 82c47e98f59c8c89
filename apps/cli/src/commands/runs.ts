// harness runs
import type { Store } from "@harness/spec";
import { commandOf } from "../command-line.js";
import { exitCodes } from "../exit-codes.js";
import { readPrices } from "../prices-file.js";
import type { Terminal } from "../process-terminal.js";
import { paintFor } from "../render/paint.js";
import { resumableLines } from "../render/resumable-list.js";
import { type RunRow, runsTable } from "../render/runs-table.js";
import { columnsOf } from "../render/style.js";
import { resumableRows, runRows } from "../run-rows.js";
import { exists, type StorePlace, storePlace, withStore } from "../stores.js";

export interface RunsFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly limit?: number;
  readonly prices?: string;
  /** Only those that a resume would go on with. */
  readonly resumable?: boolean;
}

export async function runsCommand(terminal: Terminal, flags: RunsFlags): Promise<number> {
  const stored = storePlace(terminal, flags.store);
  await (flags.resumable ? listResumable : listAll)(terminal, stored, flags);
  return exitCodes.done;
}

type List = (terminal: Terminal, stored: StorePlace, flags: RunsFlags) => Promise<void>;

const listAll: List = async (terminal, stored, { limit = 20, json, prices: file }) => {
  const { out, env, clock } = terminal;
  const now = clock.now();
  const prices = await readPrices(terminal, file);
  const rows = await found(stored, limit, (store, most) => runRows(store, most, now, prices));
  if (json) return writeJson(terminal, rows.shown);
  if (rows.shown.length === 0) return void out.write(`There are no runs in ${stored.path} yet.\n`);
  const table = runsTable(rows.shown, now, Math.min(columnsOf(out), 200), paintFor(out, env));
  write(terminal, [...table, ...moreLine(terminal, stored, rows, ["runs"])]);
};

const listResumable: List = async (terminal, stored, { limit = 20, json }) => {
  const { out, env, clock } = terminal;
  const now = clock.now();
  const rows = await found(stored, limit, (store, most) => resumableRows(store, most, now));
  const { place } = stored;
  if (json) {
    const objects = rows.shown.map(({ ways, ...row }) => ({
      ...row,
      commands: ways.map((words) => commandOf(place, ...words)),
    }));
    return writeJson(terminal, objects);
  }
  if (rows.shown.length === 0) return void out.write(`No run in ${stored.path} waits to be resumed.\n`);
  const lines = resumableLines(rows.shown, { now, place }, { paint: paintFor(out, env), columns: columnsOf(out) });
  write(terminal, [...lines, ...moreLine(terminal, stored, rows, ["runs", "--resumable"])]);
};

interface Found<Row> {
  readonly shown: readonly Row[];
  readonly hasMore: boolean;
}

/** At most `limit` rows, and whether there are more. None where there is no store. */
async function found<Row>(
  { path }: StorePlace,
  limit: number,
  rowsOf: (store: Store, most: number) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  const rows = (await exists(path)) ? await withStore(path, (store) => rowsOf(store, limit + 1)) : [];
  return { shown: rows.slice(0, limit), hasMore: rows.length > limit };
}

function moreLine(
  { out, env }: Terminal,
  { place }: StorePlace,
  { shown, hasMore }: Found<RunRow>,
  words: readonly string[],
): readonly string[] {
  const command = commandOf(place, ...words, "--limit", String(shown.length * 5));
  return hasMore ? ["", paintFor(out, env).dim(`There are more: ${command}`)] : [];
}

function writeJson(terminal: Terminal, objects: readonly object[]): void {
  write(
    terminal,
    objects.map((object) => JSON.stringify(object)),
  );
}

function write({ out }: Terminal, lines: readonly string[]): void {
  out.write(lines.map((line) => `${line}\n`).join(""));
}
