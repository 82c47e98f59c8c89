// Waits for output that is still on its way, and not for ever: whoever keeps a stream open may never close it.
import { setImmediate as nextTurn } from "node:timers/promises";

/** True when `promise` settled within `ms`. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** So many quiet times at most: a process that goes on printing must not be waited for. */
const mostRounds = 4;

/** Until `closed`, or until nothing was received for `quietMs`. */
export async function drain(closed: Promise<void>, received: () => number, quietMs: number): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const before = received();
    if (await within(closed, quietMs)) return;
    // Timers come before input in a turn: after a turn that was long, what has arrived meanwhile is read only now.
    await nextTurn();
    if (received() === before) return;
  }
}
