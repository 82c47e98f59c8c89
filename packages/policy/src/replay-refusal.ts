// A refusal, back as an act. A trace keeps the target of what was refused and no more: a command is one line, and whether case
// counted is not said. What is made of it is believed only when the policy of that time refuses it by the very rule that was named.
import type { Act, EventOf, PolicyData } from "@harness/spec";
import { merge } from "./combine.js";
import type { ExplainOptions } from "./explain.js";
import { verdictOn } from "./replay-judge.js";

type Refused = Pick<EventOf<"act.refused">, "act" | "target" | "rule" | "layer">;

/** The act, or `undefined` when too little of it was kept. */
export function refusedAct(refused: Refused, inForce: PolicyData, options: ExplainOptions): Act | undefined {
  return readings(refused).find((act) => {
    const { effect, rule = null, layer = null } = verdictOn(inForce, act, options);
    return effect === "deny" && rule === refused.rule && layer === refused.layer;
  });
}

function readings({ act: type, target }: Refused): readonly Act[] {
  switch (type) {
    case "read":
    case "write":
      return [
        { type, target },
        { type, target, foldsCase: true },
      ];
    case "exec": {
      const argv = target.split(" ");
      return argv.length === 1 ? [{ type, target }] : [{ type, target: argv[0] ?? "", argv }];
    }
    case "net":
      return [{ type, target }];
    default:
      return type satisfies never;
  }
}

/** `policy` as it judges a host of the run's own provider: who names a provider allows its hosts, and only a rule takes that back. */
export function withProvider(policy: PolicyData, target: string): PolicyData {
  const rules = [{ act: "net", effect: "allow", pattern: target }] as const;
  return merge(policy, { layers: [{ name: "provider", rules }], defaults: policy.defaults });
}
