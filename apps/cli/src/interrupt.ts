// Two wishes to stop: the first asks the run to, which leaves it so that it can go on later; the second does not wait.
import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./process-terminal.js";

export interface Interrupt {
  /** Fires with the first wish to stop. */
  readonly signal: AbortSignal;
  /** Hands the signals back. */
  release(): void;
}

/** Listens for wishes to stop. `onFirst` is told before the signal fires, `onSecond` before the process ends. */
export function interruptible(
  terminal: Terminal,
  { onFirst, onSecond }: { readonly onFirst: () => void; readonly onSecond: () => void },
): Interrupt {
  const controller = new AbortController();
  const release = terminal.onStopSignal((name) => {
    if (controller.signal.aborted) {
      onSecond();
      terminal.exit(exitCodes.cancelled);
      return;
    }
    onFirst();
    controller.abort(`stopped by ${name}`);
  });
  return { signal: controller.signal, release };
}
