// How many of the processes that a look finds are the wrapper's own, and not to be counted as the command's. In front of a
// namespace stand the wrapper's, and its first process may be one more that only waits for the others.
import type { Enclosure } from "../enclosure.js";
import type { WrapperStatus } from "../wrapped.js";
import type { ProcessUsage } from "./proc-usage.js";

export interface Front {
  /** What the wrapper has told, `undefined` when it tells nothing. */
  readonly status: WrapperStatus | undefined;
  readonly enclosure: Enclosure | undefined;
  nameOf(pid: number): string | undefined;
}

/** The wrapper and the first process of a namespace that it has not told of yet. */
const mostUntold = 2;

export function wrapperProcesses(members: readonly ProcessUsage[], { status, enclosure, nameOf }: Front): number {
  if (enclosure === undefined) return status?.hasRun === false ? mostUntold : 0;
  const front = members.filter(({ pid }) => enclosure.front.has(pid));
  // Who only waits has never become another program.
  const names = new Set(front.map(({ pid }) => nameOf(pid)));
  const isWaiting = members.some(({ pid }) => pid === enclosure.init) && names.has(nameOf(enclosure.init));
  return front.length + (isWaiting ? 1 : 0);
}
