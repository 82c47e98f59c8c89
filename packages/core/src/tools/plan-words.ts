// What the model reads about plans: that one is wanted, in the first message, and what became of it, as the result of the call
// that proposed it. The system prompt is composed once and says nothing of it.

/** The part of the first message that a run with a plan has. */
export const planFirst =
  "A plan comes first. Until one is approved you can only look: whatever would write or run a command is refused, whatever " +
  "the policy says above. Look around as far as the plan needs it, then call propose_plan with the steps that you intend.";

/** What a model is told that answers without having proposed anything. */
export const planMissing = "No plan has been approved yet. Look further, or call propose_plan.";

export const approvedPlan =
  "The plan is approved. Writing and running commands are from now on as the policy says, and the plan grants nothing beyond " +
  "it. Carry the plan out.";

export function correctedPlan(correction: string): string {
  return `The plan is not approved. What should be different: ${correction}\n\nPropose another one.`;
}
