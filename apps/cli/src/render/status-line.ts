// The one line that is rewritten while a run is under way: what it does now, and what has come of it so far.
import type { LiveUpdate } from "@harness/spec";
import { actText } from "./acts.js";
import { duration } from "./durations.js";
import { clip, printable } from "./printable.js";
import { checkText } from "./run-lines.js";
import type { CallView, Timeline } from "./timeline.js";

/** The end of what came since the last event. */
export interface LiveTail {
  readonly text: string;
  readonly progress: string;
}

export const noTail: LiveTail = { text: "", progress: "" };

/** More is never on one line. */
const mostKept = 500;

export function followLive(tail: LiveTail, update: LiveUpdate): LiveTail {
  switch (update.type) {
    case "text":
    case "reasoning":
      return { ...tail, text: (tail.text + update.text).slice(-mostKept) };
    case "tool-progress":
      return { ...tail, progress: (tail.progress + update.text).slice(-mostKept) };
    case "reset":
      return { ...tail, text: "" };
    default:
      return update satisfies never;
  }
}

export interface StatusMoment {
  readonly timeline: Timeline;
  readonly tail: LiveTail;
  /** Epoch ms. */
  readonly now: number;
  readonly columns: number;
}

export function statusLine({ timeline, tail, now, columns }: StatusMoment): string {
  const { started, step, limits, totals } = timeline;
  const parts = [
    step === 0 ? "starting" : `step ${step}${limits ? ` of ${limits.maxSteps}` : ""}`,
    ...(started ? [duration(now - started.at)] : []),
    ...(totals.totalTokens > 0 ? [`${totals.totalTokens} tokens`] : []),
  ];
  const head = parts.join(", ");
  return clip(`${head} · ${activity(timeline, tail)}`, columns - 1);
}

function activity({ isAsking, isChecking, calls, started }: Timeline, { text, progress }: LiveTail): string {
  const running = calls.filter(({ phase }) => phase === "started");
  if (isChecking)
    return `check: ${started?.content ? checkText(started.content.contract.verify) : "running"}${last(progress)}`;
  if (running.length > 0) return `${running.map(callText).join(", ")}${last(progress)}`;
  if (calls.some(({ phase }) => phase === "asked")) return "waiting for an answer";
  if (isAsking) return text === "" ? "waiting for the model" : `the model: …${printable(text).slice(-60)}`;
  return "…";
}

function callText({ name, acts }: CallView): string {
  const [first] = acts;
  if (!first) return name;
  return first.act.type === name ? actText(first.act) : `${name} ${actText(first.act)}`;
}

/** The last line of output, where there is one. */
function last(progress: string): string {
  const line = printable(progress).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : ` │ ${line}`;
}
