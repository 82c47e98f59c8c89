// A call whose driver died while it was under way. Its own probe is asked first, because looking beats asking; then a person.
import { isJsonObject, type JudgedAct, type Probe, type RecoveryDecision } from "@harness/spec";
import { graceMs, within } from "../time/scope.js";
import type { CallState } from "./call-state.js";
import { CallLook } from "./context.js";
import { resultEvent } from "./invoke.js";
import { parseInput } from "./parse-input.js";
import { stopsRun } from "./ready-call.js";
import { recoveryRequest } from "./request-names.js";
import type { ToolPorts } from "./tool-ports.js";

export async function performRecovery(ports: ToolPorts, call: CallState): Promise<void> {
  const probe = await look(ports, call, call.granted);
  if (!probe) return;
  switch (probe.type) {
    case "done":
      ports.record(decided(ports.step, call, { type: "completed", observation: probe.result.text }, "probe"));
      ports.record(resultEvent(ports.step, call, probe.result, probe.result.isError ? "error" : "ok"));
      return;
    case "not-done":
      ports.record(decided(ports.step, call, { type: "retry" }, "probe"));
      return;
    case "unknown":
      await requestDecision(ports, call);
      return;
    default:
      return probe satisfies never;
  }
}

/** Nobody in this process is asked: a person has to look first. What they have said by now is in the inbox. */
async function requestDecision(ports: ToolPorts, call: CallState): Promise<void> {
  const answer = await ports.inbox.find({ type: "recovery", request: recoveryRequest(call) });
  if (ports.scopes.stopped) return;
  ports.record(
    answer
      ? decided(ports.step, call, answer.decision, answer.by)
      : { type: "recovery.requested", step: ports.step, call: call.id, acts: call.granted },
  );
}

/** `undefined` when the run was stopped meanwhile. A probe that fails or takes too long does not know. */
async function look(ports: ToolPorts, call: CallState, granted: readonly JudgedAct[]): Promise<Probe | undefined> {
  const parsed = await parseInput(ports.tools, call);
  if (parsed.type === "invalid" || !parsed.tool.probe) return { type: "unknown" };
  const { tool, input } = parsed;
  const scope = ports.scopes.open(ports.contract.limits.toolTimeoutMs);
  const looked = await within(scope, ports.clock, graceMs, () =>
    tool.probe?.(input, new CallLook(ports, call, scope, granted)),
  );
  if (stopsRun(scope)) return undefined;
  return looked.type === "value" && isProbe(looked.value) ? looked.value : { type: "unknown" };
}

function isProbe(answer: Probe | undefined): answer is Probe {
  return answer?.type === "not-done" || (answer?.type === "done" && isJsonObject(answer.result));
}

function decided(step: number, call: CallState, decision: RecoveryDecision, by: string) {
  const observation = decision.type === "completed" ? decision.observation : null;
  return {
    type: "recovery.decided",
    step,
    call: call.id,
    decision: decision.type,
    by,
    content: { observation },
  } as const;
}
