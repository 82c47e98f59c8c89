import { describe, expect, it } from "vitest";
import { type Desk, desk, openPolicy } from "./desk.test-support.js";
import { ran, touch, write } from "./runs.test-support.js";

const replay = async (at: Desk, id: string, policy: object, ...more: readonly string[]) =>
  at.harness(["policy", "replay", id, "--policy", at.file("new.json", policy), ...more]);

const strict = {
  layers: [{ name: "new", rules: [{ act: "exec", effect: "deny", pattern: "touch*" }] }],
  defaults: { read: "allow", write: "ask", exec: "allow", net: "deny" },
};

describe("harness policy replay", () => {
  it("lists by step what would be decided otherwise, sums it up by rule, and exits with 4 for a refusal", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt"), touch);
    const { code, printed } = await replay(at, id, strict);

    expect(code).toBe(4);
    expect(printed).toBe(
      [
        "Step 1",
        "  asked about  call 1.1: write a.txt (then allowed by the default; now by the default)",
        "Step 2",
        '  refused  call 2.1: exec touch touched (then allowed by the default; now by rule "touch*" of layer "new")',
        "",
        "Of 2 acts",
        "      1 × asked about  write by the default",
        '      1 × refused  exec by rule "touch*" of layer "new"',
        "Cannot be told: whether it would let the provider dial its hosts.",
        "",
      ].join("\n"),
    );
  });

  it("exits with 0 where nothing would be refused", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt"));
    const same = await replay(at, id, openPolicy);
    const asked = await replay(at, id, strict);

    expect(same).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^Nothing would be decided otherwise of 1 act\.\n/),
    });
    expect(asked.code).toBe(0);
  });

  it("prints one object a line with --json, the summary last", async () => {
    using at = desk();
    const id = await ran(at, touch);
    const { code, printed } = await replay(at, id, strict, "--json");
    const [difference = "", summary = ""] = printed.split("\n");

    expect(code).toBe(4);
    expect(JSON.parse(difference)).toMatchObject({ kind: "now-refused", step: 1, call: "1.1", now: { layer: "new" } });
    expect(JSON.parse(summary)).toMatchObject({ judged: 1, summary: [{ kind: "now-refused", count: 1 }] });
  });

  it("exits with 2 for a policy that cannot be used, and for no policy", async () => {
    using at = desk();
    const id = await ran(at);
    const wrong = await replay(at, id, { layers: [], defaults: { read: "alow" } });
    const none = await at.harness(["policy", "replay", id]);

    expect([wrong.code, none.code]).toEqual([2, 2]);
    expect(wrong.complained).toContain("defaults.read");
  });
});
