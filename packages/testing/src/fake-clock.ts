// Time that passes when a test says so. What is due rings in order, one at a time, and what a ring starts gets its turn before
// the next: a sleep begun on waking is counted from that moment, and not from the end of the advance.
import type { Clock } from "@harness/spec";

export interface FakeClockOptions {
  /** Sleeps pass by themselves, and time jumps to the end of each; alarms ring when it jumps over them. Default false. */
  readonly autoAdvance?: boolean;
}

export interface FakeClock extends Clock {
  /** Lets `ms` pass, and everything ring that is due by then. Resolves when it has. */
  advance(ms: number): Promise<void>;
  /** Sleepers and alarms that wait. */
  readonly waiting: number;
  /** What `sleep` was asked for, in ms, in order. */
  readonly slept: readonly number[];
  /** Resolves as soon as at least `count` (default 1) sleepers and alarms wait. */
  untilWaiting(count?: number): Promise<void>;
}

interface Alarm {
  readonly due: number;
  readonly ring: () => void;
}

/** A clock that starts at `startMs` (epoch ms, default 2026-01-01) and stands still until told. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1), { autoAdvance = false }: FakeClockOptions = {}): FakeClock {
  const slept: number[] = [];
  const alarms = new Set<Alarm>();
  const watchers = new Set<() => void>();
  let now = startMs;

  function set(ms: number, ring: () => void): Alarm {
    const alarm = { due: now + Math.max(0, ms), ring };
    alarms.add(alarm);
    for (const watch of watchers) watch();
    return alarm;
  }

  async function ringUntil(target: number): Promise<void> {
    // Whoever is about to fall asleep does so first.
    await turn();
    for (let next = earliest(alarms, target); next; next = earliest(alarms, target)) {
      alarms.delete(next);
      now = Math.max(now, next.due);
      next.ring();
      await turn();
    }
  }

  return {
    now: () => now,
    slept,
    get waiting() {
      return alarms.size;
    },
    alarm(ms, ring) {
      const alarm = set(ms, ring);
      return () => void alarms.delete(alarm);
    },
    sleep(ms, { signal } = {}) {
      slept.push(ms);
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          alarms.delete(alarm);
          reject(signal?.reason);
        };
        const alarm = set(ms, () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        });
        signal?.addEventListener("abort", abort, { once: true });
        if (autoAdvance) void ringUntil(alarm.due);
      });
    },
    async advance(ms) {
      const target = now + ms;
      await ringUntil(target);
      now = Math.max(now, target);
    },
    untilWaiting: (count = 1) =>
      new Promise((resolve) => {
        const watch = () => {
          if (alarms.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}

/** What is due first, and by `target`; of several the one that was set first. */
function earliest(alarms: ReadonlySet<Alarm>, target: number): Alarm | undefined {
  let first: Alarm | undefined;
  for (const alarm of alarms) {
    if (alarm.due <= target && (first === undefined || alarm.due < first.due)) first = alarm;
  }
  return first;
}

/** One turn of the event loop: everything that is ready to go on does. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
