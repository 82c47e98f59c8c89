// The calls of the open step, each from what the model asked for to its result. The log's events are the transitions.
import type {
  CallId,
  CallStatus,
  Digest,
  JsonObject,
  JudgedAct,
  Recovery,
  RequestId,
  RunEvent,
  ToolEffect,
} from "@harness/spec";
import { callId, qualified } from "@harness/spec";
import type { Refusal } from "../boundary/refusal.js";

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
  /** A person said what it did; the result is not recorded yet. */
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
  /** The reason of a no, or what a person said it did. */
  readonly words: string | null;
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
  /** A person ended the run by their answer. */
  readonly endedByPerson: boolean;
}

export const noCalls: CallsState = { list: [], endedByPerson: false };

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
      return change(calls, event.call, { phase: "asked", asks: event.acts });
    case "approval.decided":
      return decided(calls, event);
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
      return change(calls, event.call, { phase: "undecided" });
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
      result: undefined,
    };
  });
}

function decided(calls: CallsState, event: Extract<RunEvent, { type: "approval.decided" }>): CallsState {
  const call = findCall(calls, event.call);
  if (!call) return calls;
  switch (event.decision) {
    case "approve": {
      const given = event.content?.input ?? null;
      const edits = given === null ? {} : { arguments: given, isEdited: true };
      return change(calls, call.id, { phase: "waiting", approved: call.asks, ...edits });
    }
    case "deny": {
      const next = change(calls, call.id, { phase: "declined", words: event.content?.reason ?? null });
      return event.final ? { ...next, endedByPerson: true } : next;
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
  switch (event.decision) {
    case "retry":
      return change(calls, call.id, { phase: "waiting", approved: call.granted });
    case "completed":
      // A probe's finding comes with the result itself, right behind this event.
      if (event.by === "probe") return calls;
      return change(calls, call.id, { phase: "told", words: event.content?.observation ?? null });
    case "abort":
      return { ...calls, endedByPerson: true };
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

type Changes = Partial<
  Pick<CallState, "phase" | "arguments" | "isEdited" | "asks" | "approved" | "granted" | "refusal" | "words" | "result">
>;

function change(calls: CallsState, id: CallId, changes: Changes): CallsState {
  const list = calls.list.map((call) => (call.id === id ? changed(call, changes) : call));
  return { list, endedByPerson: calls.endedByPerson };
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
    result: changes.result ?? call.result,
  };
}
