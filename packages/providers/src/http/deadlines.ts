// How long each part of an attempt may take. One alarm serves all of them: a byte that arrives only notes the time, and an alarm that
// finds its deadline moved is set again. So a stream of ten thousand chunks costs one timer.
import { type Clock, ConfigError } from "@harness/spec";

/** In ms. */
export interface Deadlines {
  /** The whole attempt. Default 600,000. */
  readonly totalMs?: number;
  /** Until a connection stands. Default 10,000. */
  readonly connectMs?: number;
  /** Until the first byte of the answer's body. Default: the total. */
  readonly firstByteMs?: number;
  /** Between two bytes of the answer, its head included; a comment counts. Default 300,000. */
  readonly idleMs?: number;
  /** For counts that come after the answer is whole, and for the body of a failed answer. Default 5,000. */
  readonly lingerMs?: number;
}

export type Limits = Required<Deadlines>;

export type DeadlineName = keyof Deadlines;

/** The deadlines with their defaults. Throws `ConfigError` for one that is not a positive number. */
export function limitsFrom(deadlines: Deadlines): Limits {
  const {
    totalMs = 600_000,
    connectMs = 10_000,
    firstByteMs = totalMs,
    idleMs = 300_000,
    lingerMs = 5_000,
  } = deadlines;
  const limits = { totalMs, connectMs, firstByteMs, idleMs, lingerMs };
  for (const [name, ms] of Object.entries(limits)) {
    if (Number.isNaN(ms) || ms <= 0) {
      throw new ConfigError(`The deadline ${name} must be a positive number of ms, and is ${ms}.`, {
        path: ["deadlines", name],
      });
    }
  }
  return limits;
}

export interface Watch {
  start(): void;
  connected(): void;
  /** The head of the answer is there. */
  answered(): void;
  received(): void;
  /** Nothing more is needed: what may still come gets `lingerMs`. */
  linger(): void;
  stop(): void;
}

/** Calls `expired` at most once, with the deadline that passed first. */
export function watchDeadlines(clock: Clock, limits: Limits, expired: (deadline: DeadlineName) => void): Watch {
  const due = new Map<DeadlineName, number>();
  let lastByteAt: number | undefined;
  let armed: { readonly at: number; readonly cancel: () => void } | undefined;

  function dueFirst(): readonly [DeadlineName, number] {
    const all: [DeadlineName, number][] = [...due];
    if (lastByteAt !== undefined) all.push(["idleMs", lastByteAt + limits.idleMs]);
    return all.reduce((first, next) => (next[1] < first[1] ? next : first));
  }

  function ring(): void {
    armed = undefined;
    const [name, at] = dueFirst();
    if (at <= clock.now()) expired(name);
    else arm();
  }

  // A deadline that moved back is found by the ring; only one that moved forward needs a new alarm.
  function arm(): void {
    const [, at] = dueFirst();
    if (at === Number.POSITIVE_INFINITY || (armed && armed.at <= at)) return;
    armed?.cancel();
    armed = { at, cancel: clock.alarm(at - clock.now(), ring) };
  }

  return {
    start() {
      const now = clock.now();
      due.set("connectMs", now + limits.connectMs);
      due.set("firstByteMs", now + limits.firstByteMs);
      due.set("totalMs", now + limits.totalMs);
      arm();
    },
    connected: () => void due.delete("connectMs"),
    answered() {
      lastByteAt = clock.now();
      arm();
    },
    received() {
      lastByteAt = clock.now();
      due.delete("firstByteMs");
    },
    linger() {
      if (due.has("lingerMs")) return;
      due.set("lingerMs", clock.now() + limits.lingerMs);
      arm();
    },
    stop: () => armed?.cancel(),
  };
}
