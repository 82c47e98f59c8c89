// Which cap an exit status proves, for a command that nobody of ours killed. A status alone proves little: a program may
// exit with 152 by its own choice, so what a shell makes of a signal counts only together with what was measured.
import { constants } from "node:os";
import type { Cap } from "@harness/spec";
import type { Exit } from "../child.js";
import type { Rlimits } from "./rlimits.js";

export interface ExitEvidence {
  /** CPU time that the command was seen to have used: at least so much it was. */
  seenCpuMs(): number;
  /** So long ago that was. */
  unseenMs(): number;
  /** More than so much it cannot have used. */
  mostCpuMs(): number;
  /** Whether a file that was just written stands at a limit of so many bytes. */
  hasFileAt(bytes: number): boolean;
}

/** The kernel's limit counts in another way than its accounts, and a look may be a little old. */
const nearlyAll = 0.8;
/** On a busy machine a look may be so old, and what came after it is believed. More than that says nothing. */
const oldestLookMs = 3_000;

/** The cap by which the kernel ended a command that had `rlimits`, or made it fail. */
export function capOfExit(exit: Exit, { cpuSeconds, fileBytes }: Rlimits, evidence: ExitEvidence): Cap | undefined {
  if (cpuSeconds && isEndBy("SIGXCPU", exit)) {
    const limitMs = cpuSeconds.soft * 1_000;
    const cpuMs = exit.signal === null ? likelyCpuMs(evidence) : evidence.mostCpuMs();
    return cpuMs >= limitMs * nearlyAll ? "cpu" : undefined;
  }
  if (fileBytes === undefined) return undefined;
  if (exit.signal === "SIGXFSZ") return "file-size";
  // Many programs are told `EFBIG` instead, and fail; a shell in between tells a number.
  const hasFailed = exit.code !== null && exit.code !== 0;
  return hasFailed && evidence.hasFileAt(fileBytes.soft) ? "file-size" : undefined;
}

function likelyCpuMs({ seenCpuMs, unseenMs, mostCpuMs }: ExitEvidence): number {
  return Math.min(seenCpuMs() + Math.min(unseenMs(), oldestLookMs), mostCpuMs());
}

/** A process in between (a shell, a native sandbox) tells a signal as 128 and its number. */
function isEndBy(signal: "SIGXCPU", exit: Exit): boolean {
  return exit.signal === signal || exit.code === 128 + constants.signals[signal];
}
