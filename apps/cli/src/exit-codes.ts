// What a script sees of a command. The numbers are a promise: add, never change.
import { isHarnessError, type RunOutcome } from "@harness/spec";

export const exitCodes = {
  /** The check passed, or there was none and the model finished; or the command did what it was told to. */
  done: 0,
  /** The run stopped short of its goal and nothing is broken; or a file was left alone, or is not in a patch. */
  notDone: 1,
  /**
   * The command line, the contract, the policy or the run's id is wrong, somebody drives the run, or what was answered is not asked
   * any more. Nothing was done.
   */
  usage: 2,
  /** Somebody has to answer before the run goes on. */
  waiting: 3,
  /** The run needs something that its policy denies; an undo does; or a replay would have refused something. */
  refused: 4,
  /** The provider, the store, the check or an undo could not do its work, or a trace is broken. */
  failed: 5,
  cancelled: 130,
} as const;

/** The exit code that tells how a run stopped. */
export function exitCodeOf(outcome: RunOutcome): number {
  switch (outcome.type) {
    case "success":
    case "finished":
      return exitCodes.done;
    case "budget":
    case "stalled":
    case "denied":
    case "plan-rejected":
      return exitCodes.notDone;
    case "awaiting-approval":
    case "awaiting-answer":
    case "awaiting-plan":
    case "awaiting-recovery":
      return exitCodes.waiting;
    case "refused":
      return exitCodes.refused;
    case "failed":
      return exitCodes.failed;
    case "cancelled":
      return exitCodes.cancelled;
    default:
      return outcome satisfies never;
  }
}

/** The exit code for an error that no outcome stands for. */
export function exitCodeOfError(error: unknown): number {
  if (!isHarnessError(error)) return exitCodes.failed;
  switch (error.code) {
    case "config-invalid":
    case "resume-refused":
    case "run-conflict":
      return exitCodes.usage;
    default:
      return exitCodes.failed;
  }
}
