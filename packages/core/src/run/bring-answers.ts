// Answers that a resume brings. They go the way of every other: into the inbox, where the first one wins, so that a resume cannot
// overrule what somebody has already said.
import { type Answer, ConfigError, canonicalJson, ResumeError } from "@harness/spec";
import type { Inbox } from "../boundary/inbox.js";
import { readDecision, readRecovery, readVerdict, type Unreadable } from "../boundary/read-answer.js";
import type { RunState } from "../loop/state.js";
import type { CallState } from "../tools/call-state.js";
import { planId, questionId, recoveryRequest } from "../tools/request-names.js";
import type { ResumeOptions } from "./options.js";

type Brought = Pick<ResumeOptions, "decision" | "recovery" | "answer" | "verdict">;

const by = "resume";

/** Throws `ConfigError` for what is no answer, whatever the run waits for. */
export function checkBrought({ decision, recovery, verdict, answer }: Brought): void {
  if (decision) checkRead("decision", readDecision(decision), "approve() or deny()");
  if (recovery) checkRead("recovery", readRecovery(recovery), "retry(), completed() or abort()");
  if (verdict)
    checkRead("verdict", readVerdict(verdict), '"approve", "revise" with a correction, or "cancel" as its type');
  if (answer !== undefined && typeof answer !== "string") {
    throw new ConfigError("The answer to a question must be a text.", { path: ["answer"] });
  }
}

function checkRead(what: string, read: { readonly type: string } | Unreadable, instead: string): void {
  if (!("detail" in read)) return;
  throw new ConfigError(`The ${what} cannot be read: ${read.detail}. Use ${instead}.`, { path: [what] });
}

/**
 * What `brought` answers of what the run waits for; a deferral is no answer. Throws `ResumeError` for one that it does not wait
 * for: taking it silently would hide the mistake.
 */
export function broughtAnswers(state: RunState, { decision, recovery, answer, verdict }: Brought): readonly Answer[] {
  const answers: Answer[] = [];
  if (decision) {
    const { request } = openCall(state, "an approval, so there is nothing to decide", isAsked);
    if (decision.type !== "defer") answers.push({ type: "approval", request, by, decision });
  }
  if (answer !== undefined) {
    const call = openCall(state, "an answer", ({ phase }) => phase === "questioned");
    answers.push({ type: "question", request: questionId(call), by, text: answer });
  }
  if (verdict) {
    const call = openCall(state, "a verdict on a plan", ({ phase }) => phase === "proposed");
    answers.push({ type: "plan", request: planId(call), by, verdict });
  }
  if (recovery) {
    const call = openCall(state, "a recovery: there is no call whose end is unknown", isUnknown);
    answers.push({ type: "recovery", request: recoveryRequest(call), by, decision: recovery });
  }
  return answers;
}

function openCall({ id, calls }: RunState, what: string, isOpen: (call: CallState) => boolean): CallState {
  const call = calls.list.find(isOpen);
  if (call) return call;
  throw new ResumeError(`Run ${id} does not wait for ${what}. Resume it without one.`, { runId: id });
}

function isAsked({ phase }: CallState): boolean {
  return phase === "asked" || phase === "deferred";
}

function isUnknown({ phase, recovery }: CallState): boolean {
  return phase === "unknown" || phase === "undecided" || (phase === "started" && recovery === "indeterminate");
}

/** Leaves `answers` in the inbox. Throws `ResumeError` when somebody was first and said otherwise. */
export async function leaveAnswers(inbox: Inbox, run: RunState["id"], answers: readonly Answer[]): Promise<void> {
  for (const answer of answers) {
    if (await inbox.leave(answer)) continue;
    const first = await inbox.find(answer);
    if (first && canonicalJson(saidBy(first)) === canonicalJson(saidBy(answer))) continue;
    const why = first
      ? `${first.by} has already answered ${otherwise(first)}. Resume it without one, and that counts`
      : "an answer that cannot be read is in its place. Resume it with somebody here who can be asked";
    throw new ResumeError(`Run ${run} cannot be resumed with this answer to ${answer.request}: ${why}.`, {
      runId: run,
    });
  }
}

/** What was said, without who said it. */
function saidBy({ by: _, ...said }: Answer): object {
  return said;
}

function otherwise(first: Answer): string {
  switch (first.type) {
    case "approval":
    case "recovery":
      return JSON.stringify(first.decision.type);
    case "plan":
      return JSON.stringify(first.verdict.type);
    case "question":
      return "otherwise";
    default:
      return first satisfies never;
  }
}
