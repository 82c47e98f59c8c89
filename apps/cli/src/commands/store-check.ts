// harness store check
import { commandOf } from "../command-line.js";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { counted } from "../render/counted.js";
import { type Paint, paintFor } from "../render/paint.js";
import { clip } from "../render/printable.js";
import { type KeptStore, type StorePlace, storePlace, withExistingStore } from "../stores.js";

export interface StoreCheckFlags {
  readonly store?: string;
  readonly mend?: boolean;
  readonly json?: boolean;
}

interface Findings {
  /** What was wrong, in words. */
  readonly problems: readonly string[];
  /** What of it still is; the same as `problems` unless something was mended. */
  readonly left: readonly string[];
  /** Counted only where nothing is wrong any more. */
  readonly runs: number | null;
  readonly events: number | null;
}

export async function storeCheckCommand(terminal: Terminal, flags: StoreCheckFlags): Promise<number> {
  const { mend = false, json } = flags;
  const place = storePlace(terminal, flags.store);
  const { path } = place;
  const findings = await withExistingStore(path, (store) => examine(store, mend), { readonly: !mend });
  const lines = json
    ? [JSON.stringify({ path, ...findings })]
    : findingLines(place, findings, mend, paintFor(terminal.out, terminal.env));
  terminal.out.write(lines.map((line) => `${line}\n`).join(""));
  return findings.left.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function examine(store: KeptStore, mend: boolean): Promise<Findings> {
  const problems = await store.check({ mend });
  // What mending came to is seen by looking again.
  const left = mend && problems.length > 0 ? await store.check() : problems;
  if (left.length > 0) return { problems, left, runs: null, events: null };
  const heads = await store.runs({ limit: Number.MAX_SAFE_INTEGER });
  return { problems, left, runs: heads.length, events: heads.reduce((sum, { seq }) => sum + seq, 0) };
}

/** A line for each problem, and the answer under them. */
function findingLines(place: StorePlace, { problems, left, runs, events }: Findings, mend: boolean, paint: Paint) {
  const shown = problems.map((problem) => clip(problem, 1_000));
  const { path } = place;
  if (left.length === 0) {
    const size = `${counted(runs ?? 0, "run")}, ${counted(events ?? 0, "event")}`;
    const verdict = problems.length > 0 ? "Mended. Nothing is wrong any more with" : "Nothing is wrong with";
    return [...shown, `${paint.green(verdict)} ${path} (${size})`];
  }
  const verdict = `${counted(left.length, "problem")} in ${path}${mend ? ", mended as far as it can be" : ""}`;
  const advice =
    mend || !left.some(isMendable)
      ? []
      : [`To mend what can be: ${commandOf(place.place, "store", "check", "--mend")}`];
  return [...shown, paint.red(verdict), ...advice];
}

/** The store says so in the sentence, since what it finds is words. */
function isMendable(problem: string): boolean {
  return problem.endsWith("; this can be mended.");
}
