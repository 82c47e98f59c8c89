import { Policy } from "@harness/policy";
import type { Containment, Enforcement } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { playedEnforcement } from "../gate/gates.test-support.js";
import { composeSystem } from "./prompt.js";

const strict: Enforcement = { ...playedEnforcement, writes: true, egress: "all" };
const usual: Containment = { mode: "workspace-write", egress: "deny", roots: [], missing: [] };

function told(enforces: Enforcement, containment: Partial<Containment>): string {
  const policy = new Policy().toJSON();
  return composeSystem({ policy, backend: "b", enforces, containment: { ...usual, ...containment } });
}

describe("what the agent is told of the boundary", () => {
  it.each<[string, Enforcement, Partial<Containment>, readonly string[]]>([
    [
      "is what holds",
      strict,
      {},
      ["can write only the workspace, caches and a temporary folder", "cannot reach the network"],
    ],
    ["is less in read-only", strict, { mode: "read-only" }, ["can write only a temporary folder and"]],
    ["is open where the policy opens it", strict, { egress: "allow" }, ["can reach the network"]],
    ["is no boundary in full access", strict, { mode: "full-access" }, ["can write wherever this user can"]],
    [
      "is never more than is enforced",
      playedEnforcement,
      {},
      ["nothing holds them to it", "nothing keeps them from it"],
    ],
    [
      "is no closed network where it is only asked for",
      { ...strict, egress: "advisory" },
      {},
      ["nothing keeps them from it"],
    ],
  ])("%s", (_what, enforces, containment, words) => {
    const text = told(enforces, containment);
    for (const part of words) expect(text).toContain(part);
  });

  it("says so where nothing can be run", () => {
    const text = composeSystem({ policy: new Policy().toJSON(), backend: null, enforces: null });
    expect(text).toContain("Commands cannot be run here.");
  });
});
