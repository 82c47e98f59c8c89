// Making calls: parse → acts → verdicts, one call at a time and in order, before any work overlaps; then reads side by side.
// A write starts once the completion that asked for it is durable, an indeterminate one once its own start is.
import type { Act, AnyTool, JudgedAct } from "@harness/spec";
import { deciding, isCovered, judge } from "../boundary/judge.js";
import { refusalByTool, refusalOf } from "../boundary/refusal.js";
import { graceMs, within } from "../time/scope.js";
import type { CallState } from "./call-state.js";
import { CallLook } from "./context.js";
import { askQuestion, planInput, proposePlan, questionInput } from "./core-tools.js";
import { result } from "./decide-calls.js";
import { invoke } from "./invoke.js";
import { parseInput } from "./parse-input.js";
import { isRefusal, messageOf, type ReadyCall, refuse, stopsRun } from "./ready-call.js";
import { planId, questionId } from "./request-names.js";
import type { ToolPorts } from "./tool-ports.js";

/** Makes `calls` and records what came of each. Calls behind one that must be asked about are left for later. */
export async function performCalls(ports: ToolPorts, calls: readonly CallState[]): Promise<void> {
  const ready: ReadyCall[] = [];
  for (const call of calls) {
    const planned = await plan(ports, call);
    if (planned === "asked" || planned === "stopped") break;
    if (planned !== "answered") ready.push(planned);
  }
  if (ports.scopes.stopped) return;
  const [only] = ready;
  if (ready.length === 1 && only) await start(ports, only);
  else await Promise.all(ready.map((call) => start(ports, call)));
}

async function plan(ports: ToolPorts, call: CallState): Promise<ReadyCall | "answered" | "asked" | "stopped"> {
  const parsed = parseInput(ports.tools, call);
  const checked = parsed instanceof Promise ? await parsed : parsed;
  if (checked.type === "invalid") {
    ports.record(result(ports.step, call.id, "invalid", checked.text));
    return "answered";
  }
  const { tool, input } = checked;
  if (tool === askQuestion || tool === proposePlan) return put(ports, call, tool, input);
  const acts = await look(ports, call, tool, input);
  return acts === "answered" || acts === "stopped" ? acts : admit(ports, { call, tool, input, acts });
}

/** What only a person can settle is recorded first, so that any process may. */
function put(ports: ToolPorts, call: CallState, tool: AnyTool, input: unknown): "asked" {
  const { step } = ports;
  if (tool === askQuestion) {
    const { context, ...question } = questionInput.parse(input);
    const content = context === undefined ? question : { ...question, context };
    ports.record({ type: "question.asked", step, question: questionId(call), call: call.id, content });
  } else {
    ports.record({ type: "plan.proposed", step, plan: planId(call), call: call.id, content: planInput.parse(input) });
  }
  return "asked";
}

/** What the call would do, with the policy's verdicts. A tool that cannot say has answered. */
async function look(
  ports: ToolPorts,
  call: CallState,
  tool: AnyTool,
  input: unknown,
): Promise<readonly JudgedAct[] | "answered" | "stopped"> {
  const { policy, clock, scopes } = ports;
  if (!tool.acts) return judge(policy, [{ type: "exec", target: tool.name }]);
  const scope = scopes.open(ports.contract.limits.toolTimeoutMs);
  const looked = await within(scope, clock, graceMs, async () => {
    const acts = (await tool.acts?.(input, new CallLook(ports, call, scope))) ?? [];
    // A target that cannot be named is refused here as one that leaves the workspace is: what has no name has no rule.
    return judge(policy, ports.isPlanning ? asWhole(tool, acts) : acts);
  });
  if (looked.type === "value") return looked.value;
  if (stopsRun(scope)) return "stopped";
  if (looked.type === "error" && isRefusal(looked.error)) {
    refuse(ports, call, refusalByTool(looked.error));
    return "answered";
  }
  const text = looked.type === "abandoned" ? "it did not say in time what it would do" : messageOf(looked.error);
  ports.record(result(ports.step, call.id, "error", text));
  return "answered";
}

/** While a plan is made, what changes anything at all is refused, by its tool's name where its acts would not be. */
function asWhole(tool: AnyTool, acts: readonly Act[]): readonly Act[] {
  return tool.effect === "write" ? [...acts, { type: "exec", target: tool.name }] : acts;
}

function admit(ports: ToolPorts, ready: ReadyCall): ReadyCall | "answered" | "asked" {
  const { call, acts } = ready;
  const judged = deciding(acts);
  switch (judged?.verdict.effect) {
    case "deny":
      refuse(ports, call, refusalOf(judged));
      return "answered";
    case "ask":
      return call.approved.length > 0 ? admitApproved(ports, ready) : request(ports, ready);
    default:
      return ready;
  }
}

/** What was approved is what was asked about, and nothing that appeared since. */
function admitApproved(ports: ToolPorts, ready: ReadyCall): ReadyCall | "answered" {
  if (ready.call.isEdited || isCovered(ready.acts, ready.call.approved)) return ready;
  const [act] = ready.acts;
  const { type = "exec", target = ready.call.name } = act?.act ?? {};
  refuse(
    ports,
    ready.call,
    refusalByTool({ act: type, target, reason: "it would no longer do only what was approved" }),
  );
  return "answered";
}

function request(ports: ToolPorts, { call, tool, acts }: ReadyCall): "asked" {
  const { id, request } = call;
  const content = { input: call.arguments ?? {} };
  ports.record({ type: "approval.requested", step: ports.step, request, call: id, tool: tool.name, acts, content });
  return "asked";
}

const neverBegun = "The run was cancelled before this call began. Nothing was done.";

/** A read begins at once, whatever is durable by then; it changes nothing. */
function start(ports: ToolPorts, ready: ReadyCall): Promise<void> {
  const { call, acts } = ready;
  if (call.effect !== "read" || call.recovery !== "replayable") return startDurably(ports, ready);
  ports.record({ type: "tool.started", step: ports.step, call: call.id, acts });
  return invoke(ports, ready);
}

async function startDurably(ports: ToolPorts, ready: ReadyCall): Promise<void> {
  const { call, acts } = ready;
  if (call.recovery === "replayable") {
    await ports.durable();
    if (ports.scopes.stopped) return;
  }
  ports.record({ type: "tool.started", step: ports.step, call: call.id, acts });
  if (call.recovery === "indeterminate") await ports.durable();
  if (ports.scopes.stopped) ports.record(result(ports.step, call.id, "cancelled", neverBegun));
  else await invoke(ports, ready);
}
