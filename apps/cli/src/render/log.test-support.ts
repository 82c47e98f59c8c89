// Logs written by hand, as short as a test can make them.

import { parseContract } from "@harness/core";
import { Policy } from "@harness/policy";
import type { EventOf, NewEvent, RunEvent, RunId } from "@harness/spec";
import { eventLines } from "./event-lines.js";
import { plain } from "./paint.js";
import { type Style, shownInTrace } from "./style.js";
import { emptyTimeline, follow, type Timeline } from "./timeline.js";

const { workspace, limits, ...contract } = parseContract({ goal: "Do it.", workspace: "/repo" });
const driver = {
  provider: "played",
  policy: Policy.standard().toJSON(),
  limits,
  tools: [],
  backend: null,
  enforces: null,
  labels: {},
} as const;

export const started: NewEvent = {
  type: "run.started",
  step: 0,
  run: "run-1" as RunId,
  root: "run-1" as RunId,
  parent: null,
  workspace,
  ...driver,
  digests: {} as EventOf<"run.started">["digests"],
  content: { contract, system: "" },
};

export const resumed = (step: number): NewEvent => ({ type: "run.resumed", step, ...driver });

/** A completion of `step` that asks for `calls`, each a tool's name with what becomes of an interrupted one. */
export function asks(
  step: number,
  ...calls: readonly { name: string; recovery?: "replayable" | "indeterminate" }[]
): NewEvent {
  return {
    type: "completion.finished",
    step,
    attempt: 1,
    model: "m",
    servedBy: null,
    stop: "tool-calls",
    finishReason: null,
    usage: null,
    ttftMs: null,
    requestId: null,
    calls: calls.map(({ name, recovery = "indeterminate" }) => ({ name, recovery, effect: "write" })),
    content: { text: null, reasoning: null, calls: calls.map(() => ({ arguments: { n: 1 } })) },
  };
}

/** Numbers `events`, one second apart. */
export function log(...events: readonly NewEvent[]): readonly RunEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: index * 1_000 }) as RunEvent);
}

export function timelineOf(...events: readonly NewEvent[]): Timeline {
  return log(...events).reduce(follow, emptyTimeline);
}

export const plainStyle: Style = { paint: plain, columns: Number.POSITIVE_INFINITY, ...shownInTrace };

/** The lines that the last of `events` adds to those before it. */
export function lastLines(...events: readonly NewEvent[]): readonly string[] {
  return linesIn(plainStyle, ...events);
}

/** The same in another style. */
export function linesIn(style: Style, ...events: readonly NewEvent[]): readonly string[] {
  const all = log(...events);
  const last = all.at(-1);
  if (!last) return [];
  return eventLines(all.slice(0, -1).reduce(follow, emptyTimeline), last, style);
}
