// harness approvals
import { commandOf } from "../command-line.js";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { waysToAnswer } from "../render/next-commands.js";
import { paintFor } from "../render/paint.js";
import { type WaitingRow, waitingLines } from "../render/waiting-lines.js";
import { reportFailure } from "../report-failure.js";
import { exists, type StorePlace, storePlace, withStore } from "../stores.js";
import { type WaitingRows, waitingRows } from "../waiting-rows.js";

export interface ApprovalsFlags {
  readonly store?: string;
  readonly json?: boolean;
}

export async function approvalsCommand(terminal: Terminal, { store, json }: ApprovalsFlags): Promise<number> {
  const { out, env, clock } = terminal;
  const stored = storePlace(terminal, store);
  const now = clock.now();
  const { rows, failures } = await found(stored, now);
  const { place } = stored;
  const lines = json
    ? rows.map((row) => JSON.stringify(objectOf(row, stored)))
    : rows.length > 0
      ? waitingLines(rows, { now, place, paint: paintFor(out, env) })
      : [`No run in ${stored.path} waits for an answer.`];
  out.write(lines.map((line) => `${line}\n`).join(""));
  for (const failure of failures) reportFailure(terminal, failure);
  return failures.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** None where there is no store. */
async function found({ path }: StorePlace, now: number): Promise<WaitingRows> {
  return (await exists(path)) ? withStore(path, (store) => waitingRows(store, now)) : { rows: [], failures: [] };
}

function objectOf({ waiting, isDriven, resume }: WaitingRow, { place }: StorePlace): object {
  const commands = waysToAnswer(waiting).map((words) => commandOf(place, ...words));
  return { ...waiting, isDriven, commands, resume: commandOf(place, ...resume) };
}
