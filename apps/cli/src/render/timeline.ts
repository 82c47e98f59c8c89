// What a reader of a trace has to remember to understand the next event: which calls are open, what is in flight, what was
// spent. Pure, and the same whether the events come from a log or from a run under way.
import type { CallId, EventOf, JsonObject, JudgedAct, Limits, Recovery, RunEvent } from "@harness/spec";
import { type Edit, editsOf } from "./edits.js";

export interface CallView {
  readonly id: CallId;
  readonly name: string;
  readonly input: JsonObject | null;
  readonly recovery: Recovery;
  /** What it was allowed to do, or is asked about. */
  readonly acts: readonly JudgedAct[];
  readonly phase: "waiting" | "asked" | "started" | "done";
}

export interface Totals {
  readonly completions: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Completions whose vendor did not say what they cost. */
  readonly uncounted: number;
  readonly refusals: number;
}

export interface Timeline {
  readonly started: EventOf<"run.started"> | undefined;
  readonly limits: Limits | undefined;
  /** The open or the last step; 0 before the first. */
  readonly step: number;
  /** `at` of the last event. */
  readonly now: number;
  /** Of the open step, in their order. */
  readonly calls: readonly CallView[];
  readonly isAsking: boolean;
  readonly isChecking: boolean;
  /** A driver recorded that it stops here. */
  readonly isAtRest: boolean;
  readonly totals: Totals;
  readonly edits: readonly Edit[];
}

const noTotals: Totals = {
  completions: 0,
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  uncounted: 0,
  refusals: 0,
};

export const emptyTimeline: Timeline = {
  started: undefined,
  limits: undefined,
  step: 0,
  now: 0,
  calls: [],
  isAsking: false,
  isChecking: false,
  isAtRest: false,
  totals: noTotals,
  edits: [],
};

/** The timeline after `event`. */
export function follow(timeline: Timeline, event: RunEvent): Timeline {
  const next = { ...timeline, now: event.at, step: Math.max(timeline.step, event.step), isAtRest: false };
  return { ...next, ...changes(next, event) };
}

function changes(timeline: Timeline, event: RunEvent): Partial<Timeline> {
  switch (event.type) {
    case "run.started":
      return { started: event, limits: event.limits };
    case "run.resumed":
      return { limits: event.limits, isAsking: false, isChecking: false, calls: timeline.calls.map(interrupted) };
    case "run.paused":
    case "run.finished":
      return { isAtRest: true };
    case "step.started":
      return { calls: [] };
    case "completion.started":
      return { isAsking: true };
    case "completion.failed":
      return { isAsking: false, totals: spent(timeline.totals, event) };
    case "completion.finished":
      return { isAsking: false, totals: spent(timeline.totals, event), calls: proposed(event) };
    case "gate.started":
      return { isChecking: true };
    case "gate.finished":
      return { isChecking: false };
    case "act.refused":
      return { totals: { ...timeline.totals, refusals: timeline.totals.refusals + 1 } };
    default:
      return callChanges(timeline, event);
  }
}

function callChanges({ calls, edits }: Timeline, event: RunEvent): Partial<Timeline> {
  switch (event.type) {
    case "approval.requested":
      return { calls: change(calls, event.call, { phase: "asked", acts: event.acts }) };
    case "tool.started":
      return { calls: change(calls, event.call, { phase: "started", acts: event.acts }) };
    case "tool.finished":
      return { calls: change(calls, event.call, { phase: "done" }), edits: [...edits, ...editsOf(event)] };
    default:
      return {};
  }
}

function proposed(event: EventOf<"completion.finished">): readonly CallView[] {
  return event.calls.map(({ name, recovery }, index) => ({
    id: `${event.step}.${index + 1}` as CallId,
    name,
    recovery,
    input: event.content?.calls[index]?.arguments ?? null,
    acts: [],
    phase: "waiting",
  }));
}

function change(calls: readonly CallView[], id: CallId, changed: Partial<CallView>): readonly CallView[] {
  return calls.map((call) => (call.id === id ? { ...call, ...changed } : call));
}

function interrupted(call: CallView): CallView {
  return call.phase === "started" ? { ...call, phase: "waiting" } : call;
}

function spent(totals: Totals, { type, usage }: EventOf<"completion.finished" | "completion.failed">): Totals {
  const isAnswer = type === "completion.finished";
  return {
    ...totals,
    completions: totals.completions + (isAnswer ? 1 : 0),
    promptTokens: totals.promptTokens + (usage?.promptTokens ?? 0),
    completionTokens: totals.completionTokens + (usage?.completionTokens ?? 0),
    totalTokens: totals.totalTokens + (usage?.totalTokens ?? 0),
    uncounted: totals.uncounted + (isAnswer && usage === null ? 1 : 0),
  };
}
