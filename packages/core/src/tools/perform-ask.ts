// A call that the policy wants asked about: the request is durable, someone is asked, what they say is recorded.
import type { ApprovalRequest, Decision } from "@harness/spec";
import { ask } from "../boundary/ask.js";
import { copyJson } from "../events/copy.js";
import type { CallState } from "./call-state.js";
import type { ToolPorts } from "./tool-ports.js";

export async function performAsk(ports: ToolPorts, call: CallState): Promise<void> {
  await ports.durable();
  const scope = ports.scopes.open(Number.POSITIVE_INFINITY);
  const request: ApprovalRequest = {
    id: call.request,
    runId: ports.runId,
    call: call.id,
    goal: ports.contract.goal,
    tool: call.name,
    input: copyJson(call.arguments ?? {}),
    acts: structuredClone(call.asks),
  };
  const asked = await ask(ports, request, scope.signal);
  scope.close();
  if (asked && !scope.stopped) ports.record(decidedEvent(ports.step, call, asked.decision, asked.by, asked.detail));
}

function decidedEvent(step: number, call: CallState, decision: Decision, by: string, detail: string | null) {
  return {
    type: "approval.decided",
    step,
    request: call.request,
    call: call.id,
    decision: decision.type,
    by,
    final: decision.type === "deny" && decision.final === true,
    remember: decision.type === "approve" ? (decision.remember ?? []) : [],
    content: {
      reason: decision.type === "deny" ? decision.reason : detail,
      input: decision.type === "approve" ? (decision.input ?? null) : null,
    },
  } as const;
}
