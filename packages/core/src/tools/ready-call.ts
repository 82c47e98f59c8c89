// A call that the boundary has let through, and what its planning and its making have in common.
import { type ActRefusedError, type AnyTool, isHarnessError, type JudgedAct } from "@harness/spec";
import { type Refusal, refusedEvent } from "../boundary/refusal.js";
import type { Scope } from "../time/scope.js";
import type { CallState } from "./call-state.js";
import type { ToolPorts } from "./tool-ports.js";

export interface ReadyCall {
  readonly call: CallState;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly acts: readonly JudgedAct[];
}

export function refuse(ports: ToolPorts, call: CallState, refusal: Refusal): void {
  ports.record(refusedEvent(ports.step, call.id, refusal));
}

export function isRefusal(error: unknown): error is ActRefusedError {
  return isHarnessError(error) && error.code === "act-refused";
}

/** True when it was not the call's own time that ended. */
export function stopsRun(scope: Scope): boolean {
  return scope.stopped === "cancelled" || scope.stopped === "store-failed";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
