// A call that the policy wants asked about: the request is durable, someone is asked, what they say is recorded.
import type { ApprovalRequest } from "@harness/spec";
import { approverHere } from "../boundary/ask-here.js";
import type { AnswerOf } from "../boundary/inbox.js";
import { settle, type Undecided } from "../boundary/settle.js";
import { copyJson } from "../events/copy.js";
import type { CallState } from "./call-state.js";
import type { ToolPorts } from "./tool-ports.js";

export async function performAsk(ports: ToolPorts, call: CallState): Promise<void> {
  await ports.durable();
  const scope = ports.scopes.open(Number.POSITIVE_INFINITY);
  const { approver, inbox } = ports;
  const here = approver && approverHere(approver, requestOf(ports, call));
  const answer = await settle(inbox, { type: "approval", request: call.request }, here, scope.signal);
  scope.close();
  if (answer && !scope.stopped) ports.record(decidedEvent(ports.step, call, answer));
}

function requestOf({ runId, contract }: ToolPorts, call: CallState): ApprovalRequest {
  return {
    id: call.request,
    runId,
    call: call.id,
    goal: contract.goal,
    workspace: contract.workspace,
    tool: call.name,
    input: copyJson(call.arguments ?? {}),
    acts: structuredClone(call.asks),
  };
}

function decidedEvent(step: number, call: CallState, answer: AnswerOf<"approval"> | Undecided) {
  return {
    type: "approval.decided",
    step,
    request: call.request,
    call: call.id,
    by: answer.by,
    ...(answer.type === "undecided" ? deferred(answer) : decided(answer)),
  } as const;
}

function deferred({ by, detail }: Undecided) {
  const reason = by === "nobody" ? "no approver was given" : detail;
  return { decision: "defer", final: false, remember: [], content: { reason, input: null } } as const;
}

function decided({ decision }: AnswerOf<"approval">) {
  return decision.type === "approve"
    ? ({
        decision: "approve",
        final: false,
        remember: decision.remember ?? [],
        content: { reason: null, input: decision.input ?? null },
      } as const)
    : ({
        decision: "deny",
        final: decision.final === true,
        remember: [],
        content: { reason: decision.reason, input: null },
      } as const);
}
