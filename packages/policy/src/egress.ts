// What a policy says of the network to commands. A command dials on its own, out of sight of any rule, so hosts cannot be told
// apart for it: the network is open to all of it or closed.
import type { PolicyData } from "@harness/spec";

/**
 * `allow` when every host and port is allowed outright: by default or by the rule `*`, with no rule that denies or asks.
 * Otherwise `deny`, also where some hosts are allowed: what could reach those could reach the others.
 */
export function commandEgress({ layers, defaults }: PolicyData): "deny" | "allow" {
  const rules = layers.flatMap(({ rules }) => rules).filter(({ act }) => act === "net");
  if (rules.some(({ effect }) => effect !== "allow")) return "deny";
  return defaults.net === "allow" || rules.some(({ pattern }) => pattern === "*") ? "allow" : "deny";
}
