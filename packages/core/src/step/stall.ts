// Whether a run goes round in circles: judged by what was asked for and whether the world changed, never by whether calls
// succeeded. Three signs: a step that was seen since the last change, the same step over and over although something changes,
// and a cycle of two or three steps.
import { canonicalJson, type EventOf, type JsonObject, type RunEvent } from "@harness/spec";

export type StallSign = "no-change" | "repetition" | "cycle";

export interface StallState {
  /** Fingerprints of the last steps since anything was cleared, oldest first; no more than are looked at. */
  readonly recent: readonly string[];
  /** The open step's, once its completion is there. */
  readonly current: string;
  /** How many of `recent`, counted from the end, came after the last change. */
  readonly unchanged: number;
  readonly replans: number;
  /** The open step's sign, until something was done about it. */
  readonly sign: StallSign | undefined;
  /** The step that was judged last. */
  readonly judged: number;
}

export const noStall: StallState = { recent: [], current: "", unchanged: 0, replans: 0, sign: undefined, judged: 0 };

/** Longest cycle that is looked for. */
const longestCycle = 3;

/** What a completion asked for, whatever it said. */
function fingerprint(event: EventOf<"completion.finished">): string {
  const inputs = event.content?.calls ?? [];
  return event.calls.map(({ name }, index) => `${name}:${flat(inputs[index]?.arguments ?? null)}`).join("|");
}

function flat(input: JsonObject | null): string {
  if (input === null) return "";
  const keys = Object.keys(input);
  const isSimple = keys.length < 2 && typeof input[keys[0] ?? ""] !== "object";
  return isSimple ? JSON.stringify(input) : canonicalJson(input);
}

/** The sign that the step with `current` as its fingerprint gives, or `undefined`. Pure; `window` 0 turns it off. */
export function stallSign(stall: StallState, current: string, changed: boolean, window: number): StallSign | undefined {
  if (window === 0) return undefined;
  const { recent, unchanged } = stall;
  if (isRepeated(recent, current, 1, window)) return "repetition";
  for (let period = 2; period <= longestCycle; period += 1) {
    if (isRepeated(recent, current, period, window)) return "cycle";
  }
  return !changed && unchanged >= window && recent.includes(current, -unchanged) ? "no-change" : undefined;
}

/** True when `recent` with `current` behind it ends in the same `period` steps, `times` times over. */
function isRepeated(recent: readonly string[], current: string, period: number, times: number): boolean {
  const length = period * times;
  if (recent.length + 1 < length || times < 2) return false;
  const first = recent.length + 1 - length;
  const at = (index: number) => (index === recent.length ? current : recent[index]);
  for (let index = recent.length; index >= first + period; index -= 1) {
    if (at(index) !== at(index - period)) return false;
  }
  return true;
}

export function evolveStall(stall: StallState, event: RunEvent, window: number): StallState {
  switch (event.type) {
    case "completion.finished":
      return window === 0 ? stall : changed(stall, { current: fingerprint(event) });
    case "run.stalled":
      return { ...stall, sign: event.why, judged: event.step };
    case "run.replanned":
      return { ...stall, recent: [], unchanged: 0, replans: event.nth, sign: undefined };
    case "step.finished": {
      if (window === 0 || stall.judged === event.step) return stall;
      const recent = withLast(stall.recent, stall.current, longestCycle * window);
      const unchanged = event.changed ? 0 : Math.min(stall.unchanged + 1, recent.length);
      return changed(stall, { recent, unchanged });
    }
    default:
      return stall;
  }
}

/** Written out, because this is done twice a step and a spread is dear. */
function changed(stall: StallState, changes: Partial<StallState>): StallState {
  return {
    recent: changes.recent ?? stall.recent,
    current: changes.current ?? stall.current,
    unchanged: changes.unchanged ?? stall.unchanged,
    replans: stall.replans,
    sign: stall.sign,
    judged: stall.judged,
  };
}

/** At most `most` items, the oldest left out. */
function withLast(recent: readonly string[], item: string, most: number): readonly string[] {
  const next = recent.length < most ? recent.slice() : recent.slice(1);
  next.push(item);
  return next;
}
