// Approvers that look at nothing. Neither is asked about what the policy denies.
import type { Approver } from "@harness/spec";

/** Approves whatever it is asked about. Where nobody has to be asked, an allow rule says it better. */
export const approveAll: Approver = { decide: async () => ({ type: "approve" }) };

/** Denies whatever it is asked about: the run goes on without, instead of waiting for somebody. */
export const denyAll: Approver = {
  decide: async () => ({ type: "deny", reason: "Nobody can approve anything in this run." }),
};
