// What can be said of a run from its head alone: whether anybody drives it, and if not, whether it stopped or was cut short.
import type { RunHead } from "@harness/spec";

/** `interrupted`: nobody drives it and nobody stopped it. */
export type ShownState = "running" | "interrupted" | "paused" | "ended";

export function stateOf({ state, lease }: RunHead, now: number): ShownState {
  if (state !== "running") return state;
  const isDriven = lease !== null && lease.isAlive !== false && lease.expiresAt > now;
  return isDriven ? "running" : "interrupted";
}
