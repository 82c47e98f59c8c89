// harness trace <id>
import { exitCodes } from "../exit-codes.js";
import { followTrace } from "../follow-trace.js";
import { readPrices } from "../prices-file.js";
import type { Terminal } from "../process-terminal.js";
import { type Amount, shownInFull, shownInTrace } from "../render/style.js";
import { findRun, readTrace } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";
import { writeTrace } from "../write-trace.js";

export interface TraceFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly step?: number;
  readonly prices?: string;
  readonly full?: boolean;
  /** False for `--no-diff`. */
  readonly diff?: boolean;
  readonly follow?: boolean;
}

export async function traceCommand(terminal: Terminal, id: string, flags: TraceFlags): Promise<number> {
  const { json = false, step, follow } = flags;
  const { path, place } = storePlace(terminal, flags.store);
  const prices = await readPrices(terminal, flags.prices);
  return withExistingStore(path, async (store) => {
    const head = await findRun(store, id, place);
    const trace = { store, head, place, amount: amountOf(flags), json, prices };
    if (follow) return followTrace(terminal, trace);
    await writeTrace(terminal, readTrace(store, head.id), { ...trace, step });
    return exitCodes.done;
  });
}

function amountOf({ full, diff = true }: TraceFlags): Amount {
  const amount = full ? shownInFull : shownInTrace;
  return diff ? amount : { ...amount, maxDiffLines: 0 };
}
