// harness rewind <run> (--path <file> | --step <n> | --all)
import type { RunId, Store } from "@harness/spec";
import { ConfigError } from "@harness/spec";
import { type RewoundFile, type RewoundRun, type RewoundStep, rewind, rewindRun, rewindStep } from "io-harness";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import type { Terminal } from "../process-terminal.js";
import { paintFor } from "../render/paint.js";
import { rewoundFileLines, rewoundRunLines, rewoundStepLines } from "../render/undo-lines.js";
import { findRun } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";
import { readPolicy } from "./run.js";

export interface RewindFlags {
  readonly store?: string;
  readonly path?: string;
  readonly step?: number;
  readonly all?: boolean;
  readonly force?: boolean;
  readonly policy?: string;
  readonly json?: boolean;
}

export async function rewindCommand(terminal: Terminal, id: string, flags: RewindFlags): Promise<number> {
  const { path, step, all, json } = flags;
  if (path === undefined && step === undefined && !all) {
    throw new ConfigError("What to undo was not said. Pass --path <file>, --step <n> or --all.");
  }
  const policy = flags.policy === undefined ? {} : { policy: await readPolicy(terminal, flags.policy) };
  const stored = storePlace(terminal, flags.store);
  const interrupt = interruptible(terminal, { onFirst: () => {}, onSecond: () => {} });
  const { out, env } = terminal;
  try {
    return await withExistingStore(stored.path, async (store) => {
      const head = await findRun(store, id, stored.place);
      const options = { store, signal: interrupt.signal, ...policy };
      const undone = await undo(head.id, flags, options);
      const lines = json ? [JSON.stringify(undone.result)] : undone.lines(paintFor(out, env));
      out.write(lines.map((line) => `${line}\n`).join(""));
      return undone.code;
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    terminal.err.write("Stopped between two files. The same command does what is left.\n");
    return exitCodes.cancelled;
  } finally {
    interrupt.release();
  }
}

interface Undone {
  readonly result: RewoundRun | RewoundStep | RewoundFile;
  readonly lines: (paint: ReturnType<typeof paintFor>) => readonly string[];
  readonly code: number;
}

type Undoing = { readonly store: Store } & Parameters<typeof rewindStep>[2];

async function undo(id: RunId, { path, step, force = false }: RewindFlags, options: Undoing): Promise<Undone> {
  if (step !== undefined) {
    const result = await rewindStep(id, step, options);
    return { result, lines: (paint) => rewoundStepLines(result, step, paint), code: codeOf([result.type]) };
  }
  if (path !== undefined) {
    const result = await rewind(id, path, { ...options, force });
    return { result, lines: (paint) => rewoundFileLines([result], paint), code: codeOf([result.type]) };
  }
  const result = await rewindRun(id, { ...options, force });
  const code = codeOf(result.files.map(({ type }) => type));
  return { result, lines: (paint) => rewoundRunLines(result, paint), code };
}

const whole: ReadonlySet<string> = new Set(["restored", "removed", "applied"]);

/** The worst of what became of the files. */
function codeOf(types: readonly string[]): number {
  if (types.includes("failed")) return exitCodes.failed;
  if (types.includes("refused")) return exitCodes.refused;
  return types.every((type) => whole.has(type)) ? exitCodes.done : exitCodes.notDone;
}
