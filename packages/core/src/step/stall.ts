// Whether a run goes round in circles: judged by what was asked for and whether the world changed, never by whether calls
// succeeded. Three signs: a step that was seen since the last change, the same step over and over although something changes,
// and a cycle of two or three steps.
import { canonicalJson, type RunEvent } from "@harness/spec";
import type { CallsState } from "../tools/call-state.js";

export type StallSign = "no-change" | "repetition" | "cycle";

export interface StallState {
  /** Fingerprints of the last steps since anything was cleared, oldest first; no more than are looked at. */
  readonly recent: readonly string[];
  /** How many of `recent`, counted from the end, came after the last change. */
  readonly unchanged: number;
  readonly replans: number;
  /** The open step's sign, until something was done about it. */
  readonly sign: StallSign | undefined;
  /** The step that was judged last. */
  readonly judged: number;
}

export const noStall: StallState = { recent: [], unchanged: 0, replans: 0, sign: undefined, judged: 0 };

/** Longest cycle that is looked for. */
const longestCycle = 3;

/** What a step asked for, whatever it said. */
export function fingerprint(calls: CallsState): string {
  return calls.list.map(({ name, arguments: input }) => `${name}:${flat(input)}`).join("|");
}

function flat(input: Readonly<Record<string, unknown>> | null): string {
  if (input === null) return "";
  const keys = Object.keys(input);
  const isSimple = keys.length < 2 && typeof input[keys[0] ?? ""] !== "object";
  return isSimple ? JSON.stringify(input) : canonicalJson(input);
}

/** The sign that the step with `current` as its fingerprint gives, or `undefined`. Pure; `window` 0 turns it off. */
export function stallSign(stall: StallState, current: string, changed: boolean, window: number): StallSign | undefined {
  if (window === 0) return undefined;
  const recent = [...stall.recent, current];
  if (isRepeated(recent, 1, window)) return "repetition";
  for (let period = 2; period <= longestCycle; period += 1) if (isRepeated(recent, period, window)) return "cycle";
  const since = changed ? 0 : stall.unchanged;
  return since >= window && stall.recent.slice(-since).includes(current) ? "no-change" : undefined;
}

/** True when the end of `recent` is the same `period` steps, `times` times over. */
function isRepeated(recent: readonly string[], period: number, times: number): boolean {
  const length = period * times;
  if (recent.length < length || times < 2) return false;
  const end = recent.slice(-length);
  return end.every((item, index) => item === end[index % period]);
}

/** `calls` is the state of the calls after `event`. */
export function evolveStall(stall: StallState, event: RunEvent, calls: CallsState, window: number): StallState {
  switch (event.type) {
    case "run.stalled":
      return { ...stall, sign: event.why, judged: event.step };
    case "run.replanned":
      return { ...stall, recent: [], unchanged: 0, replans: event.nth, sign: undefined };
    case "step.finished": {
      if (window === 0 || stall.judged === event.step) return stall;
      const recent = [...stall.recent, fingerprint(calls)].slice(-longestCycle * window);
      const unchanged = event.changed ? 0 : Math.min(stall.unchanged + 1, recent.length);
      return { ...stall, recent, unchanged };
    }
    default:
      return stall;
  }
}
