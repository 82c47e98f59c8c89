// How an answer that somebody gave reads: `approved it, with other arguments`.
import type { Answer, Decision, PlanVerdict, RecoveryDecision } from "@harness/spec";
import type { Said } from "../answer-options.js";
import { clip } from "./printable.js";

/** Goes on behind a name: `ada approved it`. */
export function answerWords(answer: Said | Answer): string {
  switch (answer.type) {
    case "approval":
      return decisionWords(answer.decision);
    case "question":
      return `answered: ${clip(answer.text, 200)}`;
    case "plan":
      return verdictWords(answer.verdict);
    case "recovery":
      return recoveryWords(answer.decision);
    default:
      return answer satisfies never;
  }
}

function decisionWords(decision: Exclude<Decision, { type: "defer" }>): string {
  if (decision.type === "deny") {
    return `denied it${decision.final ? ", which ends the run" : ""}: ${clip(decision.reason, 200)}`;
  }
  const changed = decision.input ? ", with other arguments" : "";
  const remembered = decision.remember?.length ? ", and the like for the rest of the run" : "";
  return `approved it${changed}${remembered}`;
}

function verdictWords(verdict: PlanVerdict): string {
  switch (verdict.type) {
    case "approve":
      return "approved the plan";
    case "cancel":
      return "called the run off";
    case "revise":
      return `sent the plan back: ${clip(verdict.correction, 200)}`;
    default:
      return verdict satisfies never;
  }
}

function recoveryWords(decision: RecoveryDecision): string {
  switch (decision.type) {
    case "retry":
      return "said that the call may be made again";
    case "completed":
      return `said what the call did: ${clip(decision.observation, 200)}`;
    case "abort":
      return "gave the call up, and the run with it";
    default:
      return decision satisfies never;
  }
}
