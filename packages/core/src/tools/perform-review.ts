// A plan that someone has to judge before anything is written. Approved, it lifts the plan gate for the calls behind it in the
// same step already; it grants nothing, and every write is judged as it would be without a plan.
import { planGateHere } from "../boundary/ask-here.js";
import { settle } from "../boundary/settle.js";
import { pauseEvent } from "../outcome/pause.js";
import type { CallState } from "./call-state.js";
import { planId } from "./request-names.js";
import type { ToolPorts } from "./tool-ports.js";

export async function performReview(ports: ToolPorts, call: CallState): Promise<void> {
  await ports.durable();
  const { step, inbox, planGate } = ports;
  const plan = planId(call);
  const steps = (call.plan ?? []).map((one) => ({ ...one }));
  const scope = ports.scopes.open(Number.POSITIVE_INFINITY);
  const here = planGate && planGateHere(planGate, plan, steps);
  const answer = await settle(inbox, { type: "plan", request: plan }, here, scope.signal);
  scope.close();
  if (!answer || scope.stopped) return;
  if (answer.type === "undecided") {
    ports.record(pauseEvent(step, ports.finished, { type: "awaiting-plan", planId: plan }, answer.detail));
    return;
  }
  const { by, verdict } = answer;
  const correction = verdict.type === "revise" ? verdict.correction : null;
  ports.record({ type: "plan.decided", step, plan, verdict: verdict.type, by, content: { correction } });
}
