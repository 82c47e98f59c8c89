// Policies as plain data. What this package hands out is a frozen copy: evaluation keeps compiled rules beside the object,
// so an object that changed in place would go on being enforced as it was.
import type { Defaults, Effect, Layer, PolicyData } from "@harness/spec";
import { actTypes } from "./vocabulary.js";

/** A frozen copy with every key in its place, so that equal policies are equal as JSON text too. */
export function frozen({ layers, defaults }: PolicyData): PolicyData {
  return Object.freeze({
    layers: Object.freeze(layers.map(frozenLayer)),
    defaults: defaultsFrom((act) => defaults[act]),
  });
}

function frozenLayer({ name, rules }: Layer): Layer {
  const copies = rules.map(({ act, effect, pattern }) => Object.freeze({ act, effect, pattern }));
  return Object.freeze({ name, rules: Object.freeze(copies) });
}

/** One default for each act. */
export function defaultsFrom(choose: (act: keyof Defaults) => Effect): Defaults {
  return Object.freeze(Object.fromEntries(actTypes.map((act) => [act, choose(act)])) as Record<keyof Defaults, Effect>);
}

/** True when the policy holds no rule in any layer and every default is `allow`: it enforces nothing. */
export function isPermissive(policy: PolicyData): boolean {
  return (
    actTypes.every((act) => policy.defaults[act] === "allow") &&
    policy.layers.every((layer) => layer.rules.length === 0)
  );
}

/** Nothing is allowed. */
export const denying: PolicyData = frozen({ layers: [], defaults: defaultsFrom(() => "deny") });

/** Everything is allowed. */
export const permissive: PolicyData = frozen({ layers: [], defaults: defaultsFrom(() => "allow") });

const secrets = [".env", ".env.*", "*.pem", "id_rsa", "id_ed25519", "*.key"];

/** Reads are open, writes and commands are asked for, and there is no network: hosts are better named up front than in mid-run. */
export const standard: PolicyData = frozen({
  layers: [
    {
      name: "secrets",
      rules: (["read", "write"] as const).flatMap((act) =>
        secrets.map((pattern) => ({ act, effect: "deny" as const, pattern })),
      ),
    },
  ],
  defaults: { read: "allow", write: "ask", exec: "ask", net: "deny" },
});
