// What the launcher, and the set-up in front of it, say on their descriptor: a line each for the first process of a namespace, for
// the command's start, and for what has failed.
import type { WrapperStatus } from "@harness/sandbox-floor";

export function launcherStatus(said: string): WrapperStatus {
  // A last line without its end has not come whole.
  const lines = said.split("\n").slice(0, -1);
  // Said just before the command is executed: when that does not come off, a failure follows.
  const hasRun = lines.includes("ran") && !lines.some((line) => line.startsWith("failed "));
  const init = lines.map((line) => Number(/^init (\d+)$/.exec(line)?.[1])).find((pid) => pid > 1);
  return init === undefined ? { hasRun } : { hasRun, init };
}
