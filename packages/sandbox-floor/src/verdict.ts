// How a command ended, from what its direct child's end says and who ended it. A pure decision. Whoever ends a command says why
// before the kill, so what the status says counts only when nobody did.
import { constants } from "node:os";
import type { Cap, SandboxOutcome } from "@harness/spec";
import type { Exit } from "./child.js";

export type Cause =
  | { readonly capHit: Cap; readonly stopped: null }
  | { readonly capHit: null; readonly stopped: "timeout" | "cancelled" };

export const timeout: Cause = { capHit: null, stopped: "timeout" };
export const cancelled: Cause = { capHit: null, stopped: "cancelled" };
export const cap = (capHit: Cap): Cause => ({ capHit, stopped: null });

export interface Ending {
  readonly exit: Exit;
  /** Why we ended it. */
  readonly stop: Cause | undefined;
  /** The cap by which the kernel ended it, or made it fail. */
  readonly kernelCap: Cap | undefined;
  /** The child is not the command: it stands outside of the command's namespace and tells its end as a number. */
  readonly isRetold: boolean;
}

export type Verdict = Pick<SandboxOutcome, "exitCode" | "signal" | "capHit" | "stopped">;

export function verdictOf({ exit, stop, kernelCap, isRetold }: Ending): Verdict {
  const { capHit = null, stopped = null } = stop ?? (kernelCap === undefined ? {} : cap(kernelCap));
  const isByItself = capHit === null && stopped === null;
  const sent = stop ? stopSignals : kernelCap === undefined ? [] : capSignals(kernelCap);
  return {
    // A program that answers SIGTERM by exiting with 0 has been stopped all the same.
    exitCode: isByItself ? exit.code : null,
    signal: exit.signal ?? (isRetold ? toldSignal(exit.code, sent) : null),
    capHit,
    stopped,
  };
}

const stopSignals = ["SIGTERM", "SIGKILL"] as const;

function capSignals(capHit: Cap): readonly NodeJS.Signals[] {
  if (capHit === "cpu") return ["SIGXCPU"];
  return capHit === "file-size" ? ["SIGXFSZ"] : [];
}

/** 128 and its number. A command may exit with that by its own choice, so it counts only for a signal that was sent. */
function toldSignal(code: number | null, sent: readonly NodeJS.Signals[]): NodeJS.Signals | null {
  return sent.find((signal) => code === 128 + constants.signals[signal]) ?? null;
}
