// harness policy replay <run>
import { type PolicyDifference, replayPolicy } from "@harness/policy";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { paintFor } from "../render/paint.js";
import { differenceLines, replaySummaryLines } from "../render/replay-lines.js";
import { findRun } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";
import { readPolicy } from "./run.js";

export interface PolicyReplayFlags {
  readonly policy: string;
  readonly store?: string;
  readonly json?: boolean;
}

/** Exits with what `refused` means when the policy would have refused something that was not. */
export async function policyReplayCommand(terminal: Terminal, id: string, flags: PolicyReplayFlags): Promise<number> {
  const { out, env } = terminal;
  const policy = await readPolicy(terminal, flags.policy);
  const { path, place } = storePlace(terminal, flags.store);
  const paint = paintFor(out, env);
  const write = (lines: readonly string[]) => void out.write(lines.map((line) => `${line}\n`).join(""));
  let step = -1;
  let isRefused = false;

  // Written as it is found: a trace may hold more differences than memory should.
  function onDifference(difference: PolicyDifference): void {
    isRefused ||= difference.kind === "now-refused";
    write(flags.json ? [JSON.stringify(difference)] : differenceLines(difference, step, paint));
    step = difference.step;
  }

  return withExistingStore(path, async (store) => {
    const head = await findRun(store, id, place);
    const { differences: _, ...replay } = await replayPolicy(store.read(head.id), policy, { onDifference });
    write(flags.json ? [JSON.stringify(replay)] : replaySummaryLines(replay, step >= 0, paint));
    return isRefused ? exitCodes.refused : exitCodes.done;
  });
}
