// The calls of the open step, each from what the model asked for to its result. The log's events are the transitions.
import type {
  CallId,
  CallStatus,
  Digest,
  Ending,
  JsonObject,
  JudgedAct,
  PlanId,
  PlanStep,
  Question,
  QuestionId,
  Recovery,
  RequestId,
  RunEvent,
  ToolEffect,
} from "@harness/spec";
import { callId, qualified } from "@harness/spec";
import type { Refusal } from "../boundary/refusal.js";
import { approvedPlan, correctedPlan } from "./plan-words.js";

export type CallPhase =
  /** Nothing has happened yet, or it may be made again. */
  | "waiting"
  /** Someone is being asked. */
  | "asked"
  /** Nobody could be asked: the run pauses. */
  | "deferred"
  /** An approver said no; the refusal is not recorded yet. */
  | "declined"
  /** Refused; the result is not recorded yet. */
  | "refused"
  | "started"
  /** Its driver died while it was under way, and it may not simply be made again. */
  | "unknown"
  /** Neither it nor its probe could tell: a person must. */
  | "undecided"
  /** It asks a person something. */
  | "questioned"
  /** It proposes a plan, which someone has to judge. */
  | "proposed"
  /** A person said what it did, or answered it; the result is not recorded yet. */
  | "told"
  | "done";

export interface CallState {
  readonly id: CallId;
  readonly request: RequestId;
  readonly name: string;
  readonly arguments: JsonObject | null;
  readonly invalidArguments: string | undefined;
  readonly effect: ToolEffect;
  readonly recovery: Recovery;
  readonly phase: CallPhase;
  /** What is being asked about. */
  readonly asks: readonly JudgedAct[];
  /** What someone approved; covers this call until it is done. */
  readonly approved: readonly JudgedAct[];
  /** The arguments are an approver's: whoever names a target approves it. */
  readonly isEdited: boolean;
  /** What the boundary granted when it started. */
  readonly granted: readonly JudgedAct[];
  readonly refusal: Refusal | undefined;
  /** The reason of a no, or what a person said. */
  readonly words: string | null;
  /** Epoch ms of what is being asked about it; 0 while nothing is. */
  readonly askedAt: number;
  /** How often it was decided what had become of it. */
  readonly recoveries: number;
  readonly question: Question | undefined;
  readonly plan: readonly PlanStep[] | undefined;
  readonly result: CallResultState | undefined;
}

export interface CallResultState {
  readonly status: CallStatus;
  readonly text: string;
  readonly changed: boolean;
  /** Names the words of the result. */
  readonly digest: Digest | null;
}

export interface CallsState {
  readonly list: readonly CallState[];
  /** How a person ended the run by their answer. */
  readonly ending: Extract<Ending, { type: "denied" | "plan-rejected" }> | undefined;
}

export const noCalls: CallsState = { list: [], ending: undefined };

/** True when every call of the step has its result. */
export function allDone(calls: CallsState): boolean {
  return calls.list.every((call) => call.phase === "done");
}

/** True when a call of the step left the world other than it was. */
export function hasChanged(calls: CallsState): boolean {
  return calls.list.some((call) => call.result?.changed === true);
}

function findCall(calls: CallsState, id: CallId): CallState | undefined {
  return calls.list.find((call) => call.id === id);
}

/** `digest` names the event's words. */
export function evolveCalls(calls: CallsState, event: RunEvent, digest: Digest | null, run: string): CallsState {
  switch (event.type) {
    case "step.started":
      return calls.list.length === 0 ? calls : noCalls;
    case "completion.finished":
      return { ...calls, list: proposed(event, run) };
    case "approval.requested":
      return change(calls, event.call, { phase: "asked", asks: event.acts, askedAt: event.at });
    case "approval.decided":
      return decided(calls, event);
    case "question.asked":
      return change(calls, event.call, { phase: "questioned", question: event.content, askedAt: event.at });
    case "question.answered":
      return tell(calls, event.question, event.content?.text ?? "");
    case "plan.proposed":
      return change(calls, event.call, { phase: "proposed", plan: event.content?.steps ?? [], askedAt: event.at });
    case "plan.decided":
      return judged(calls, event);
    case "act.refused": {
      if (event.call === null) return calls;
      const { act, target, rule, layer, reason, content } = event;
      return change(calls, event.call, { phase: "refused", refusal: { act, target, rule, layer, reason, content } });
    }
    case "tool.started":
      return change(calls, event.call, { phase: "started", granted: event.acts });
    case "tool.finished": {
      const { status, changed, content } = event;
      return change(calls, event.call, {
        phase: "done",
        result: { status, changed, text: content?.text ?? "", digest },
      });
    }
    case "recovery.requested":
      return change(calls, event.call, { phase: "undecided", askedAt: event.at });
    case "recovery.decided":
      return recovered(calls, event);
    case "run.resumed":
      return { ...calls, list: calls.list.map(interrupted) };
    default:
      return calls;
  }
}

function proposed(event: Extract<RunEvent, { type: "completion.finished" }>, run: string): readonly CallState[] {
  return event.calls.map((call, index) => {
    const id = callId(event.step, index + 1);
    const content = event.content?.calls[index];
    return {
      id,
      request: qualified<RequestId>(run as never, id),
      name: call.name,
      arguments: content?.arguments ?? null,
      invalidArguments: content?.invalidArguments,
      effect: call.effect,
      recovery: call.recovery,
      phase: "waiting",
      asks: [],
      approved: [],
      isEdited: false,
      granted: [],
      refusal: undefined,
      words: null,
      askedAt: 0,
      recoveries: 0,
      question: undefined,
      plan: undefined,
      result: undefined,
    };
  });
}

function tell(calls: CallsState, request: QuestionId | PlanId, words: string): CallsState {
  // A call's name outside its run is the name of whatever it asks.
  const call = calls.list.find((one) => (one.request as string) === request);
  return call ? change(calls, call.id, { phase: "told", words, askedAt: 0 }) : calls;
}

function judged(calls: CallsState, event: Extract<RunEvent, { type: "plan.decided" }>): CallsState {
  switch (event.verdict) {
    case "approve":
      return tell(calls, event.plan, approvedPlan);
    case "revise":
      return tell(calls, event.plan, correctedPlan(event.content?.correction ?? ""));
    case "cancel":
      return { ...calls, ending: { type: "plan-rejected" } };
    default:
      return event.verdict satisfies never;
  }
}

function decided(calls: CallsState, event: Extract<RunEvent, { type: "approval.decided" }>): CallsState {
  const call = findCall(calls, event.call);
  if (!call) return calls;
  switch (event.decision) {
    case "approve": {
      const given = event.content?.input ?? null;
      const edits = given === null ? {} : { arguments: given, isEdited: true };
      return change(calls, call.id, { phase: "waiting", approved: call.asks, askedAt: 0, ...edits });
    }
    case "deny": {
      const next = change(calls, call.id, { phase: "declined", words: event.content?.reason ?? null, askedAt: 0 });
      return event.final ? { ...next, ending: { type: "denied" } } : next;
    }
    case "defer":
      return change(calls, call.id, { phase: "deferred" });
    default:
      return event.decision satisfies never;
  }
}

function recovered(calls: CallsState, event: Extract<RunEvent, { type: "recovery.decided" }>): CallsState {
  const call = findCall(calls, event.call);
  if (!call) return calls;
  const round = { recoveries: call.recoveries + 1, askedAt: 0 };
  switch (event.decision) {
    case "retry":
      return change(calls, call.id, { phase: "waiting", approved: call.granted, ...round });
    case "completed":
      // A probe's finding comes with the result itself, right behind this event.
      if (event.by === "probe") return calls;
      return change(calls, call.id, { phase: "told", words: event.content?.observation ?? null, ...round });
    case "abort":
      return { ...calls, ending: { type: "denied" } };
    default:
      return event.decision satisfies never;
  }
}

/** What a call is to a new driver: nobody saw how the old one left it. */
function interrupted(call: CallState): CallState {
  if (call.phase === "started" && call.recovery === "replayable")
    return { ...call, phase: "waiting", approved: call.granted };
  if (call.phase === "started" || call.phase === "undecided") return { ...call, phase: "unknown" };
  return call.phase === "deferred" ? { ...call, phase: "asked" } : call;
}

type Fixed = "id" | "request" | "name" | "invalidArguments" | "effect" | "recovery";
type Changes = Partial<Omit<CallState, Fixed>>;

function change(calls: CallsState, id: CallId, changes: Changes): CallsState {
  const list = calls.list.map((call) => (call.id === id ? changed(call, changes) : call));
  return { list, ending: calls.ending };
}

/** Written out, because this is done twice for every call and a spread of so many fields is dear. */
function changed(call: CallState, changes: Changes): CallState {
  return {
    id: call.id,
    request: call.request,
    name: call.name,
    arguments: changes.arguments ?? call.arguments,
    invalidArguments: call.invalidArguments,
    effect: call.effect,
    recovery: call.recovery,
    phase: changes.phase ?? call.phase,
    asks: changes.asks ?? call.asks,
    approved: changes.approved ?? call.approved,
    isEdited: changes.isEdited ?? call.isEdited,
    granted: changes.granted ?? call.granted,
    refusal: changes.refusal ?? call.refusal,
    words: changes.words ?? call.words,
    askedAt: changes.askedAt ?? call.askedAt,
    recoveries: changes.recoveries ?? call.recoveries,
    question: changes.question ?? call.question,
    plan: changes.plan ?? call.plan,
    result: changes.result ?? call.result,
  };
}
