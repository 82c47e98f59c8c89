// harness store size, delete, sweep, archive, compact
import { ConfigError } from "@harness/spec";
import { commandOf } from "../command-line.js";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { bytesText } from "../render/bytes.js";
import { counted } from "../render/counted.js";
import { findRun } from "../run-log.js";
import { type KeptStore, type StorePlace, storePlace, withExistingStore } from "../stores.js";

export interface UpkeepFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

export interface SweepFlags extends UpkeepFlags {
  /** Epoch ms. */
  readonly before: number;
}

/** What was done, in a line and as data. */
interface Done {
  readonly lines: readonly string[];
  readonly object: object;
}

type Upkeep = (store: KeptStore, stored: StorePlace) => Promise<Done>;

async function upkeep(terminal: Terminal, { store: given, json }: UpkeepFlags, work: Upkeep): Promise<number> {
  const stored = storePlace(terminal, given);
  const { lines, object } = await withExistingStore(stored.path, (store) => work(store, stored));
  terminal.out.write((json ? [JSON.stringify(object)] : lines).map((line) => `${line}\n`).join(""));
  return exitCodes.done;
}

export async function storeSizeCommand(
  terminal: Terminal,
  id: string | undefined,
  flags: UpkeepFlags,
): Promise<number> {
  return upkeep(terminal, flags, async (store, { path, place }) => {
    const run = id === undefined ? undefined : (await findRun(store, id, place)).id;
    const bytes = await store.size(run);
    const what = run === undefined ? path : `run ${run}, with everything under it`;
    return { lines: [`${sizeText(bytes)}  ${what}`], object: { path, ...(run && { run }), bytes } };
  });
}

export async function storeDeleteCommand(terminal: Terminal, id: string, flags: UpkeepFlags): Promise<number> {
  return upkeep(terminal, flags, async (store, { place }) => {
    const { id: run } = await findRun(store, id, place);
    if (!flags.yes) {
      throw new ConfigError(
        `Run ${run} and everything under it (${bytesText(await store.size(run))}) would be gone for good, so nothing was deleted. ` +
          `To do it: ${commandOf(place, "store", "delete", run, "--yes")}`,
      );
    }
    const removed = await store.delete(run);
    const what = `${counted(removed.runs, "run")} and ${counted(removed.events, "event")}`;
    return { lines: [`Deleted ${what}: ${bytesText(removed.bytes)}`, spaceAdvice(place)], object: removed };
  });
}

export async function storeSweepCommand(terminal: Terminal, flags: SweepFlags): Promise<number> {
  const { before } = flags;
  return upkeep(terminal, flags, async (store, { place }) => {
    const { runs, refused } = await store.sweep(before);
    const stay = `${counted(refused.length, "older one")} stayed, not ended or being driven: ${refused.join(", ")}`;
    return {
      lines: [
        `Deleted ${counted(runs, "run")} that had ended, created before ${new Date(before).toISOString()}`,
        ...(refused.length > 0 ? [stay] : []),
        ...(runs > 0 ? [spaceAdvice(place)] : []),
      ],
      object: { before, runs, refused },
    };
  });
}

export async function storeArchiveCommand(terminal: Terminal, id: string, flags: UpkeepFlags): Promise<number> {
  return upkeep(terminal, flags, async (store, { place }) => {
    const { id: run } = await findRun(store, id, place);
    const { cleared } = await store.archive(run);
    const done = `Emptied ${counted(cleared, "event")} of run ${run}: what was said is gone; what happened stays, and verifies`;
    return {
      lines: [cleared === 0 ? `Run ${run} has no words left: nothing was done` : done],
      object: { run, cleared },
    };
  });
}

export async function storeCompactCommand(terminal: Terminal, flags: UpkeepFlags): Promise<number> {
  return upkeep(terminal, flags, async (store, { path }) => {
    const freed = await store.compact();
    const bytes = await store.size();
    return {
      lines: [`Gave back ${bytesText(freed)}; ${path} has ${bytesText(bytes)}`],
      object: { path, freed, bytes },
    };
  });
}

function spaceAdvice(place: StorePlace["place"]): string {
  return `The file keeps the space for new runs. To give it back: ${commandOf(place, "store", "compact")}`;
}

function sizeText(bytes: number): string {
  return bytes < 1_024 ? bytesText(bytes) : `${bytesText(bytes)} (${bytes.toLocaleString("en-US")} bytes)`;
}
