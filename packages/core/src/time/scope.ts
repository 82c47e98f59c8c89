// A scope is the time that one effect has: until it ends by itself, its deadline passes, or the run is stopped. The run hangs
// one listener on the caller's signal however many scopes it opens, one alarm serves every deadline, and a scope makes an
// AbortSignal only for those who ask for one: most calls are over before anyone does.
import type { Clock } from "@harness/spec";

export type Stop = "deadline" | "cancelled" | "store-failed";

export interface Scope {
  /** Fires when the scope is stopped. */
  readonly signal: AbortSignal;
  readonly stopped: Stop | undefined;
  /** Called when the scope is stopped, at once if it is already. One at a time. */
  onStop(notice: () => void): void;
  /** Puts the deadline off until the function returned is called. */
  hold(): () => void;
  close(): void;
}

export interface Scopes {
  /** Why nothing may be begun any more. */
  readonly stopped: Stop | undefined;
  open(timeoutMs: number): Scope;
  /** Stops every open scope, and every one opened from now on. */
  stopAll(why: Stop, reason?: unknown): void;
  /** Cancels the alarm: no deadline counts any more. */
  close(): void;
}

export function openScopes(clock: Clock): Scopes {
  return new RunScopes(clock);
}

/** A class, because a literal with a getter is slow to read, and closures for each run would cost more than this. */
class RunScopes implements Scopes {
  readonly clock: Clock;
  readonly #open = new Set<EffectScope>();
  #stopped: { readonly why: Stop; readonly reason: unknown } | undefined;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get stopped(): Stop | undefined {
    return this.#stopped?.why;
  }

  open(timeoutMs: number): Scope {
    const scope = new EffectScope(this, this.clock.now() + timeoutMs);
    this.#open.add(scope);
    if (this.#stopped) scope.stop(this.#stopped.why, this.#stopped.reason);
    else this.arm(scope.deadline);
    return scope;
  }

  stopAll(why: Stop, reason?: unknown): void {
    this.#stopped ??= { why, reason };
    for (const scope of this.#open) scope.stop(why, reason);
  }

  close(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  /** Rings at `at`, if not before. */
  arm(at: number): void {
    if (!Number.isFinite(at) || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.cancel();
    this.#alarm = { at, cancel: this.clock.alarm(at - this.clock.now(), () => this.#ring()) };
  }

  forget(closed: EffectScope): void {
    this.#open.delete(closed);
  }

  #ring(): void {
    this.#alarm = undefined;
    const now = this.clock.now();
    for (const scope of this.#open) {
      if (scope.deadline <= now) scope.stop("deadline", new Error("its deadline passed"));
    }
    for (const scope of this.#open) this.arm(scope.deadline);
  }
}

/** A class because thousands are made a second, and closures for each would cost more than the scope. */
class EffectScope implements Scope {
  stopped: Stop | undefined;
  #reason: unknown;
  #controller: AbortController | undefined;
  #notice: (() => void) | undefined;
  #holds = 0;
  #leftMs = 0;

  constructor(
    private readonly owner: RunScopes,
    public deadline: number,
  ) {}

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.stopped) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  onStop(notice: () => void): void {
    this.#notice = notice;
    if (this.stopped) notice();
  }

  hold(): () => void {
    const { owner } = this;
    const { clock } = owner;
    if (this.#holds === 0) this.#leftMs = this.deadline - clock.now();
    this.#holds += 1;
    this.deadline = Number.POSITIVE_INFINITY;
    return () => {
      this.#holds -= 1;
      if (this.#holds > 0 || this.stopped) return;
      this.deadline = clock.now() + this.#leftMs;
      owner.arm(this.deadline);
    };
  }

  stop(why: Stop, reason: unknown): void {
    if (this.stopped) return;
    this.stopped = why;
    this.#reason = reason;
    this.deadline = Number.POSITIVE_INFINITY;
    this.#controller?.abort(reason);
    this.#notice?.();
  }

  close(): void {
    this.owner.forget(this);
  }
}

/** How long a stopped effect has to give back what it has. */
export const graceMs = 5_000;

export type Settled<Value> =
  | { readonly type: "value"; readonly value: Value }
  | { readonly type: "error"; readonly error: unknown }
  /** It was stopped and has not answered since; whatever it still does is nobody's. */
  | { readonly type: "abandoned" };

/**
 * Waits for `work`, and after `scope` was stopped only `graceMs` longer. Never rejects; an abandoned work's rejection is
 * swallowed. A `work` that throws at once counts as rejecting.
 */
export function within<Value>(
  scope: Scope,
  clock: Clock,
  graceMs: number,
  work: () => Value | PromiseLike<Value>,
): Promise<Settled<Value>> {
  return new Promise((resolve) => {
    let cancelGrace: (() => void) | undefined;
    const settle = (settled: Settled<Value>) => {
      cancelGrace?.();
      scope.close();
      resolve(settled);
    };
    scope.onStop(() => {
      cancelGrace = clock.alarm(graceMs, () => settle({ type: "abandoned" }));
    });
    try {
      Promise.resolve(work()).then(
        (value) => settle({ type: "value", value }),
        (error: unknown) => settle({ type: "error", error }),
      );
    } catch (error) {
      settle({ type: "error", error });
    }
  });
}
