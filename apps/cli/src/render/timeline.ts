// What a reader of a trace has to remember to understand the next event: which calls are open, what is in flight, what was
// spent. Pure, and the same whether the events come from a log or from a run under way.
import type {
  Bill,
  CallId,
  EventOf,
  JsonObject,
  JudgedAct,
  Limits,
  PriceTable,
  Recovery,
  RunEvent,
  RunOutcome,
} from "@harness/spec";
import { providerLabel } from "../provider-module.js";
import { type Edit, editsOf } from "./edits.js";
import type { LastDriver } from "./next-commands.js";
import { outcomeOf } from "./outcome-text.js";
import { clip } from "./printable.js";
import { billed, noTotals, type Totals } from "./totals.js";

export interface CallView {
  readonly id: CallId;
  /** Fit to be shown: a model may call what there is not. */
  readonly name: string;
  readonly input: JsonObject | null;
  readonly recovery: Recovery;
  /** What it was allowed to do, or is asked about. */
  readonly acts: readonly JudgedAct[];
  readonly phase: "waiting" | "asked" | "started" | "done";
  /** Epoch ms; `undefined` while it was not let through. */
  readonly startedAt?: number;
  /** A command that it ran did not end well, which a tool may take for an answer like any other. */
  readonly isCommandBad?: boolean;
}

export interface Timeline {
  readonly started: EventOf<"run.started"> | undefined;
  readonly limits: Limits | undefined;
  /** Where the provider came from, as the last driver that said so recorded it. */
  readonly provider: string | undefined;
  /** The open or the last step; 0 before the first. */
  readonly step: number;
  /** `at` of the last event. */
  readonly now: number;
  /** Of the open step, in their order. */
  readonly calls: readonly CallView[];
  readonly isAsking: boolean;
  /** The model that the last completion was asked of, as far as the provider said. */
  readonly askedModel: string | null;
  readonly isChecking: boolean;
  /** Epoch ms at which the last completion was asked for, and the last check begun. */
  readonly askedAt: number;
  readonly checkedAt: number;
  /** Why it stopped; `undefined` when the last event is not that a driver stopped here. */
  readonly outcome: RunOutcome | undefined;
  readonly totals: Totals;
  readonly bills: readonly Bill[];
  /** What money is counted by: what the reader gave, else what the last driver brought. */
  readonly prices: PriceTable | undefined;
  readonly arePricesGiven: boolean;
  readonly edits: readonly Edit[];
}

export const emptyTimeline: Timeline = {
  started: undefined,
  limits: undefined,
  provider: undefined,
  step: 0,
  now: 0,
  calls: [],
  isAsking: false,
  askedModel: null,
  isChecking: false,
  askedAt: 0,
  checkedAt: 0,
  outcome: undefined,
  totals: noTotals,
  bills: [],
  prices: undefined,
  arePricesGiven: false,
  edits: [],
};

/** Nothing yet, to be counted by `prices`, where there are some, whatever the drivers brought. */
export function timelineBy(prices: PriceTable | undefined): Timeline {
  return prices ? { ...emptyTimeline, prices, arePricesGiven: true } : emptyTimeline;
}

/** The timeline after `event`. */
export function follow(timeline: Timeline, event: RunEvent): Timeline {
  // To undo what a run did does not go on with it.
  const outcome = event.type === "files.rewound" ? timeline.outcome : undefined;
  const next = { ...timeline, now: event.at, step: Math.max(timeline.step, event.step), outcome };
  return { ...next, ...changes(next, event) };
}

function changes(timeline: Timeline, event: RunEvent): Partial<Timeline> {
  switch (event.type) {
    case "run.started":
      return { started: event, ...driverOf(timeline, event), ...pricesOf(timeline, event) };
    case "run.resumed": {
      const calls = timeline.calls.map(interrupted);
      const stopped = { isAsking: false, isChecking: false, calls };
      return { ...driverOf(timeline, event), ...pricesOf(timeline, event), ...stopped };
    }
    case "run.paused":
    case "run.finished":
      return { outcome: outcomeOf(event) };
    case "step.started":
      return { calls: [] };
    case "completion.started":
      return { isAsking: true, askedAt: event.at, askedModel: event.model };
    case "completion.failed":
      return { isAsking: false, ...billed(timeline, event, timeline.askedModel) };
    case "completion.finished":
      return { isAsking: false, ...billed(timeline, event, timeline.askedModel), calls: proposed(event) };
    case "gate.started":
      return { isChecking: true, checkedAt: event.at };
    case "gate.finished":
      return { isChecking: false };
    case "act.refused":
      return { totals: { ...timeline.totals, refusals: timeline.totals.refusals + 1 } };
    default:
      return callChanges(timeline, event);
  }
}

function driverOf({ provider }: Timeline, { limits, labels }: EventOf<"run.started" | "run.resumed">): LastDriver {
  return { limits, provider: labels[providerLabel] ?? provider };
}

function pricesOf(
  { prices, arePricesGiven }: Timeline,
  { pricing }: EventOf<"run.started" | "run.resumed">,
): Pick<Timeline, "prices"> {
  return { prices: arePricesGiven ? prices : pricing?.table };
}

function callChanges({ calls, edits }: Timeline, event: RunEvent): Partial<Timeline> {
  switch (event.type) {
    case "approval.requested":
      return { calls: change(calls, event.call, { phase: "asked", acts: event.acts }) };
    case "question.asked":
    case "plan.proposed":
    case "recovery.requested":
      return { calls: change(calls, event.call, { phase: "asked" }) };
    case "tool.started":
      return { calls: change(calls, event.call, { phase: "started", acts: event.acts, startedAt: event.at }) };
    case "sandbox.finished":
      if (event.owner === "gate" || event.exitCode === 0) return {};
      return { calls: change(calls, event.owner, { isCommandBad: true }) };
    case "tool.finished":
      return { calls: change(calls, event.call, { phase: "done" }), edits: [...edits, ...editsOf(event)] };
    default:
      return {};
  }
}

function proposed(event: EventOf<"completion.finished">): readonly CallView[] {
  return event.calls.map(({ name, recovery }, index) => ({
    id: `${event.step}.${index + 1}` as CallId,
    name: clip(name, 80),
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
