import { describe, expect, it } from "vitest";
import { commandEgress } from "./egress.js";
import { Policy } from "./policy.js";

const closed = new Policy();
const open = Policy.permissive();

describe("the network of commands", () => {
  it.each<[string, Policy, "deny" | "allow"]>([
    ["is closed where nothing is said", closed, "deny"],
    ["is closed under the standard policy", Policy.standard(), "deny"],
    ["is open where everything is allowed", open, "allow"],
    ["is open by a rule for every host", closed.allowNet("*"), "allow"],
    [
      "is closed where some hosts are allowed: it cannot tell them from others",
      closed.allowNet("*.example.com"),
      "deny",
    ],
    ["is closed where a host is denied: it cannot be kept from it alone", open.denyNet("evil.example"), "deny"],
    ["is closed where hosts are asked about: nobody can be asked in the middle of a command", open.askNet("*"), "deny"],
    ["is not opened by rules for other acts", closed.allowExec("*").allowRead("*"), "deny"],
  ])("%s", (_what, policy, expected) => {
    expect(commandEgress(policy.toJSON())).toBe(expected);
  });
});
