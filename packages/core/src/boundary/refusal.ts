// A refusal as the trace has it and as the model reads it: what was refused, and which rule of which layer said so.
import type { ActRefusedError, CallId, EventOf, JudgedAct } from "@harness/spec";

export type Refusal = Omit<EventOf<"act.refused">, "type" | "seq" | "step" | "at" | "call">;

/** The refusal that a deny verdict is. */
export function refusalOf({ act, verdict }: JudgedAct): Refusal {
  return {
    act: act.type,
    target: act.type === "exec" && act.argv ? act.argv.join(" ") : act.target,
    rule: verdict.rule ?? null,
    layer: verdict.layer ?? null,
    reason: verdict.rule === undefined ? "default" : "rule",
    content: { detail: null },
  };
}

/** The refusal of an act by its own tool, or because what was approved is not what would happen. */
export function refusalByTool(error: Pick<ActRefusedError, "act" | "target" | "reason">): Refusal {
  const { act, target, reason } = error;
  return { act, target, rule: null, layer: null, reason: "tool", content: { detail: reason } };
}

/** The refusal that an approver's no is. */
export function refusalByApprover({ act, verdict }: JudgedAct, reason: string | null): Refusal {
  return { ...refusalOf({ act, verdict }), reason: "approver", content: { detail: reason } };
}

/** The event for a call, or for the run itself when `call` is `null`. */
export function refusedEvent(step: number, call: CallId | null, refusal: Refusal) {
  return { type: "act.refused", step, call, ...refusal } as const;
}

/** One sentence for the model: it may try something else, and arguing will not help. */
export function explainRefusal(refusal: Refusal): string {
  const what = `${refusal.act} ${JSON.stringify(refusal.target)}`;
  const detail = refusal.content?.detail ?? null;
  switch (refusal.reason) {
    case "rule":
      return `Refused: ${what} is denied by the rule ${JSON.stringify(refusal.rule)} of the policy layer "${refusal.layer}". Nothing was done.`;
    case "default":
      return `Refused: ${what} is not allowed by any rule of the policy. Nothing was done.`;
    case "approver":
      return `Refused: ${what} was not approved${detail ? `: ${detail}` : ""}. Nothing was done.`;
    case "tool":
      return `Refused: ${what}: ${detail}. Nothing was done.`;
    default:
      return refusal.reason satisfies never;
  }
}
