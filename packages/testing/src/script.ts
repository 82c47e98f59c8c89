// Where a script stands: which reply a request asks for, how often it was asked for, and what nobody took. Two ways to tell: by
// the answers that the request holds, which is right across processes, or by counting calls, which costs nothing.
import type { CompletionRequest } from "@harness/spec";
import type { Reply } from "./replies.js";

/**
 * One entry per reply. A list in place of a reply is its attempts: the first is given when it is first asked for, the second
 * when it is asked for again, and the last from then on.
 */
export type Script = readonly (Reply | readonly [Reply, ...Reply[]])[];

/** Which reply, and for how many-th time, both from 1. */
export interface Place {
  readonly turn: number;
  readonly attempt: number;
}

export interface Playback {
  /** Every reply with its attempts. */
  readonly entries: readonly (readonly Reply[])[];
  /** Finds the place that `request` asks for, and counts it as asked for. */
  take(request: CompletionRequest): Place;
  attempts(turn: number): number;
  /** What nobody took, in words. What a request already holds was taken, by whomever. */
  unused(): readonly string[];
}

/** Reads the place off each request. */
export function byTranscript(script: Script): Playback {
  const entries = script.map((entry) => [entry].flat());
  const taken = new Map<number, number>();
  let furthest = 0;
  return {
    entries,
    take(request) {
      const turn = 1 + request.messages.filter(({ role }) => role === "assistant").length;
      const attempt = 1 + (taken.get(turn) ?? 0);
      taken.set(turn, attempt);
      furthest = Math.max(furthest, turn);
      return { turn, attempt };
    },
    attempts: (turn) => taken.get(turn) ?? 0,
    unused: () =>
      entries.flatMap((entry, index) => {
        const turn = index + 1;
        if (turn > furthest) return [`reply ${turn}`];
        const used = taken.get(turn) ?? entry.length;
        return entry.slice(used).map((_, more) => `attempt ${used + more + 1} of reply ${turn}`);
      }),
  };
}

/** Counts: every request takes the next reply, every attempt being one. */
export function byCall(script: Script): Playback {
  const entries = script.flat().map((reply) => [reply]);
  let asked = 0;
  return {
    entries,
    take() {
      asked += 1;
      return { turn: asked, attempt: 1 };
    },
    attempts: (turn) => (turn <= asked ? 1 : 0),
    unused: () => entries.slice(asked).map((_, more) => `reply ${asked + more + 1}`),
  };
}
