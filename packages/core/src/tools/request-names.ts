// What the things are called that a call asks of people. Each is named after the call, so that it has the same name in a run that
// was cut and in one that was not.
import type { PlanId, QuestionId, RequestId } from "@harness/spec";
import type { CallState } from "./call-state.js";

type Named = Pick<CallState, "request">;

export function questionId({ request }: Named): QuestionId {
  return request as string as QuestionId;
}

export function planId({ request }: Named): PlanId {
  return request as string as PlanId;
}

/** A call may be cut short again when it is made again, and what is said of the second time is not said of the first. */
export function recoveryRequest({ request, recoveries }: Named & Pick<CallState, "recoveries">): RequestId {
  return `${request}/recovery/${recoveries + 1}` as RequestId;
}
