// What must happen next with the calls of the open step. Reads that stand side by side go together, everything else alone
// and in order; a call that someone must be asked about holds back those behind it.
import type { CallId, CallStatus } from "@harness/spec";
import { deciding } from "../boundary/judge.js";
import { explainRefusal, refusalByApprover, refusedEvent } from "../boundary/refusal.js";
import { type Conclusion, conclude } from "../events/next.js";
import { pauseEvent } from "../outcome/pause.js";
import type { CallState, CallsState } from "./call-state.js";

export type CallsNext =
  | Conclusion
  /** Make these calls: one write, or reads side by side. */
  | { readonly type: "call"; readonly calls: readonly CallState[] }
  | { readonly type: "ask"; readonly call: CallState }
  /** Put its question to a person. */
  | { readonly type: "question"; readonly call: CallState }
  /** Have its plan judged. */
  | { readonly type: "review"; readonly call: CallState }
  /** Find out what became of this call. */
  | { readonly type: "recover"; readonly call: CallState }
  | { readonly type: "wait" };

/** `undefined` when every call has its result. `step` and `finished` are the step's number and how many are finished. */
export function decideCalls(
  calls: CallsState,
  step: number,
  finished: number,
  maxReads: number,
): CallsNext | undefined {
  if (calls.list.some((call) => call.phase === "started")) return { type: "wait" };
  const call = calls.list.find(({ phase }) => phase !== "done");
  if (!call) return undefined;
  switch (call.phase) {
    case "waiting":
      return { type: "call", calls: group(calls.list, call, maxReads) };
    case "asked":
      return { type: "ask", call };
    case "deferred":
      return conclude(pauseEvent(step, finished, { type: "awaiting-approval", requestId: call.request }));
    case "declined":
      return conclude(refusedEvent(step, call.id, declined(call)));
    case "refused":
      return conclude(result(step, call.id, "refused", call.refusal ? explainRefusal(call.refusal) : "Refused."));
    case "unknown":
      return { type: "recover", call };
    case "undecided":
      return conclude(pauseEvent(step, finished, { type: "awaiting-recovery", callId: call.id }));
    case "questioned":
      return { type: "question", call };
    case "proposed":
      return { type: "review", call };
    case "told":
      return conclude(result(step, call.id, "ok", call.words ?? ""));
    case "started":
    case "done":
      return { type: "wait" };
    default:
      return call.phase satisfies never;
  }
}

function group(list: readonly CallState[], first: CallState, maxReads: number): readonly CallState[] {
  if (first.effect !== "read") return [first];
  const reads: CallState[] = [];
  for (const call of list.slice(list.indexOf(first))) {
    if (call.phase === "done") continue;
    if (call.effect !== "read" || call.phase !== "waiting" || reads.length === maxReads) break;
    reads.push(call);
  }
  return reads;
}

function declined(call: CallState) {
  const about = deciding(call.asks);
  return refusalByApprover(
    about ?? { act: { type: "exec", target: call.name }, verdict: { effect: "ask" } },
    call.words,
  );
}

/** A result without changes. */
export function result(step: number, call: CallId, status: CallStatus, text: string) {
  return {
    type: "tool.finished",
    step,
    call,
    status,
    changed: false,
    changes: [],
    content: { text, diffs: [] },
  } as const;
}
