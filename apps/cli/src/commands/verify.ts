// harness verify <id>
import { type Digest, type RunId, type Store, type TraceCheck, typeOf, verifyTrace } from "@harness/spec";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { paintFor } from "../render/paint.js";
import { printable } from "../render/printable.js";
import { findRun } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";

export interface VerifyFlags {
  readonly store?: string;
  readonly head?: string;
}

export async function verifyCommand(terminal: Terminal, id: string, flags: VerifyFlags): Promise<number> {
  const { path, place } = storePlace(terminal, flags.store);
  const { green, red } = paintFor(terminal.out, terminal.env);
  return withExistingStore(path, async (store) => {
    const { id: run } = await findRun(store, id, place);
    const check = await verifyTrace(store, run, flags.head as Digest | undefined);
    if (check.type === "broken") {
      terminal.out.write(`${red("broken")} at ${await eventName(store, run, check.seq)}: ${check.reason}\n`);
      return exitCodes.failed;
    }
    terminal.out.write(`${green("verified")} ${found(check, flags.head !== undefined)}\nhead ${check.head.hash}\n`);
    return exitCodes.done;
  });
}

function found(
  { head, isFinished, emptied }: Extract<TraceCheck, { type: "verified" }>,
  wasHeadGiven: boolean,
): string {
  const words = emptied === 0 ? "" : `, of ${emptied} of them only that they happened`;
  const end = isFinished
    ? "the last one ends the run"
    : wasHeadGiven
      ? "the last one is the one that was kept"
      : "the run has not ended, so only a head that was kept (--head) would show that none was cut off";
  return `${head.seq} events as they were recorded${words}; ${end}`;
}

/** `event 12 (tool.finished)`. What is broken may not even say what it was. */
async function eventName(store: Store, run: RunId, seq: number): Promise<string> {
  for await (const stored of store.read(run, { after: seq - 1 })) {
    const type = printable(typeOf(stored));
    return /^[a-z.-]{1,40}$/.test(type) ? `event ${stored.seq} (${type})` : `event ${stored.seq}`;
  }
  return `event ${seq}`;
}
