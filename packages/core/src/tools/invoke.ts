// The one place that enters a tool. Whatever it does – answer, throw, hang, ignore its signal – becomes one `tool.finished`.
import { type EventOf, isHarnessError, type ToolResult } from "@harness/spec";
import { refusalByTool } from "../boundary/refusal.js";
import { graceMs, type Scope, type Settled, within } from "../time/scope.js";
import type { CallState } from "./call-state.js";
import { CallContext } from "./context.js";
import { isRefusal, messageOf, type ReadyCall, refuse } from "./ready-call.js";
import type { ToolPorts } from "./tool-ports.js";

/** Makes a call that was granted. Resolves when its result is recorded. */
export async function invoke(ports: ToolPorts, ready: ReadyCall): Promise<void> {
  const { call, tool, input, acts } = ready;
  const scope = ports.scopes.open(ports.contract.limits.toolTimeoutMs);
  const settled = await within(scope, ports.clock, graceMs, () =>
    tool.invoke(input, new CallContext(ports, call, scope, acts)),
  );
  if (settled.type === "error" && isRefusal(settled.error)) {
    const refusal = refusalByTool(settled.error);
    refuse(ports, call, refusal);
    return;
  }
  ports.record(finished(ports.step, call, scope, settled, ports.contract.limits.toolTimeoutMs));
}

type Finished = Omit<EventOf<"tool.finished">, "seq" | "at">;

function finished(
  step: number,
  call: CallState,
  scope: Scope,
  settled: Settled<ToolResult>,
  timeoutMs: number,
): Finished {
  const status = statusOf(scope, settled);
  if (settled.type === "value") return resultEvent(step, call, settled.value, status);
  const text =
    settled.type === "error" && status === "error"
      ? failureText(settled.error)
      : stoppedText(status, timeoutMs, settled);
  return resultEvent(step, call, { text }, status);
}

function statusOf(scope: Scope, settled: Settled<ToolResult>): Finished["status"] {
  if (scope.stopped === "deadline") return "timed-out";
  if (scope.stopped) return "cancelled";
  return settled.type === "value" && settled.value?.isError !== true ? "ok" : "error";
}

/** The event for a result, whatever a tool of somebody else's put into it. */
export function resultEvent(step: number, call: CallState, result: ToolResult, status: Finished["status"]): Finished {
  const changes = result?.changes ?? [];
  return {
    type: "tool.finished",
    step,
    call: call.id,
    status,
    changed: result?.changed ?? changes.length > 0,
    changes: changes.map(({ path, kind, added, removed, before, after }) => ({
      path,
      kind,
      added,
      removed,
      before,
      after,
    })),
    content: { text: String(result?.text ?? ""), diffs: changes.map(({ diff }) => diff ?? null) },
  };
}

function failureText(error: unknown): string {
  const isMeant = isHarnessError(error) && (error.code === "tool-failed" || error.code === "sandbox-failed");
  return isMeant ? error.message : `The tool failed: ${messageOf(error)}`;
}

function stoppedText(status: Finished["status"], timeoutMs: number, settled: Settled<ToolResult>): string {
  const why = status === "timed-out" ? `it took longer than ${timeoutMs} ms` : "the run was cancelled";
  const how = settled.type === "abandoned" ? " It did not stop when told to, so it may still be doing something." : "";
  return `The call was stopped because ${why}. It may have done a part of what was asked.${how}`;
}
