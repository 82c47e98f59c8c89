// How the commands of a run are held: what the contract and the policy want, what the sandbox says it applies. A sandbox that is
// made for a run is let go of with it.
import { commandEgress, explain } from "@harness/policy";
import type { Containment, PolicyData, Sandbox, SandboxNeeds, SandboxSource, TaskContract } from "@harness/spec";

/** What a contract under `policy` asks of its sandbox. A log of before has contracts without a mode. */
export function needsOf({ workspace, mode = "workspace-write" }: TaskContract, policy: PolicyData): SandboxNeeds {
  return { workspace, mode, egress: commandEgress(policy) };
}

/** What `sandbox` makes of it. */
export function containmentOf({ boundary }: Sandbox, { mode, egress }: SandboxNeeds): Containment {
  return { mode, egress, roots: boundary?.roots ?? [], missing: boundary?.missing ?? [] };
}

type Denials = (act: "read" | "write", path: string) => boolean;

/** One for each policy, so that who keeps its answers knows it again. Nothing goes stale: a parsed policy is frozen. */
const denials = new WeakMap<PolicyData, Denials>();

/** Whether a rule of `policy` denies the act. What only a default denies is the mode's affair: a build writes where it must. */
export function denialsOf(policy: PolicyData): Denials {
  const known = denials.get(policy) ?? newDenials(policy);
  denials.set(policy, known);
  return known;
}

function newDenials(policy: PolicyData): Denials {
  return (act, path) => {
    try {
      const { effect, rule } = explain(policy, { type: act, target: path });
      return effect === "deny" && rule !== undefined;
    } catch {
      // A name that no rule can speak of is nobody's to read or to write.
      return true;
    }
  };
}

/** The sandbox of one driver. What a function made is closed; what was given ready is its owner's. */
export interface SandboxSeat {
  open(needs: SandboxNeeds): Promise<Sandbox | undefined>;
  close(): Promise<void>;
}

export function sandboxSeat(source: Sandbox | SandboxSource | undefined, check: (made: Sandbox) => void): SandboxSeat {
  let made: Sandbox | undefined;
  return {
    async open(needs) {
      if (typeof source !== "function") return source;
      made = await source(needs);
      check(made);
      return made;
    },
    async close() {
      // The run's outcome is what its caller must hear; a sandbox that cannot let go has said so to nobody's use.
      await made?.close?.().catch(() => {});
    },
  };
}
