// The boundary's verdicts: what the policy says of every act of a call, and of the call as a whole. Pure; the evaluator is
// the policy's own `explain`, so what is enforced is what is explained.
import { explain } from "@harness/policy";
import type { Act, Effect, JudgedAct, PolicyData } from "@harness/spec";

const strictness: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** Every act with its verdict, in order. */
export function judge(policy: PolicyData, acts: readonly Act[]): readonly JudgedAct[] {
  return acts.map((act) => ({ act, verdict: explain(policy, act) }));
}

/** The act that decides: the first of the strictest. `undefined` for a call without acts, which needs nobody's leave. */
export function deciding(acts: readonly JudgedAct[]): JudgedAct | undefined {
  let found: JudgedAct | undefined;
  for (const judged of acts) {
    if (!found || strictness[judged.verdict.effect] > strictness[found.verdict.effect]) found = judged;
  }
  return found;
}

/** True when everything that would have to be asked about is among what was approved, and would leave what was shown then. */
export function isCovered(acts: readonly JudgedAct[], approved: readonly JudgedAct[]): boolean {
  const known = new Map(approved.map(({ act }) => [nameOf(act), act]));
  return acts.every(({ act, verdict }) => {
    if (verdict.effect === "allow") return true;
    const shown = known.get(nameOf(act));
    return shown !== undefined && leavesTheSame(act, shown);
  });
}

/** A write whose bytes cannot be told is held to what was granted by its tool. */
function leavesTheSame(act: Act, shown: Act): boolean {
  if (act.type !== "write" || shown.type !== "write") return true;
  return act.after === undefined || shown.after === undefined || act.after === shown.after;
}

function nameOf(act: Act): string {
  const argv = act.type === "exec" && act.argv ? act.argv : [];
  return JSON.stringify([act.type, act.target, ...argv]);
}
