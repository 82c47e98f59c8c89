// Asking those who are in this process. Whatever they do – answer, throw, answer with what is none – comes to an answer or to
// none, and the run then waits for someone who does.
import type {
  ApprovalRequest,
  Approver,
  PlanGate,
  PlanId,
  PlanStep,
  Question,
  QuestionId,
  Responder,
} from "@harness/spec";
import { readDecision, readVerdict } from "./read-answer.js";
import type { AskHere, Undecided } from "./settle.js";

export function approverHere(approver: Approver, request: ApprovalRequest): AskHere<"approval"> {
  const by = "approver";
  return (signal) =>
    unlessItFails(by, async () => {
      const decision = readDecision(await approver.decide(request, { signal }));
      if (decision.type === "unreadable")
        return undecided(by, `the approver's answer cannot be read: ${decision.detail}`);
      if (decision.type === "defer") return undecided(by, decision.reason ?? null);
      return { type: "approval", request: request.id, by, decision };
    });
}

export function responderHere(responder: Responder, request: QuestionId, question: Question): AskHere<"question"> {
  const by = "responder";
  return (signal) =>
    unlessItFails(by, async () => {
      const text: unknown = await responder.answer(question, { signal });
      if (typeof text === "string") return { type: "question", request, by, text };
      return undecided(by, text === null ? null : "the responder's answer cannot be read: it is no text");
    });
}

export function planGateHere(gate: PlanGate, request: PlanId, steps: readonly PlanStep[]): AskHere<"plan"> {
  const by = "plan-gate";
  return (signal) =>
    unlessItFails(by, async () => {
      const given: unknown = await gate.review(steps, { signal });
      if (given === null) return undecided(by, null);
      const verdict = readVerdict(given);
      if (verdict.type !== "unreadable") return { type: "plan", request, by, verdict };
      return undecided(by, `the plan gate's verdict cannot be read: ${verdict.detail}`);
    });
}

/** Those whose names stand for a part of the run itself; nobody else answers under them. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...["approver", "responder", "plan-gate"],
  ...["resume", "probe", "nobody"],
]);

function undecided(by: string, detail: string | null): Undecided {
  return { type: "undecided", by, detail };
}

async function unlessItFails<Value>(by: string, ask: () => Promise<Value | Undecided>): Promise<Value | Undecided> {
  try {
    return await ask();
  } catch (error) {
    const what = by === "plan-gate" ? "plan gate" : by;
    return undecided(by, `the ${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
