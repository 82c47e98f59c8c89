import { describe, expect, it } from "vitest";
import { damage } from "./damage.test-support.js";
import { desk } from "./desk.test-support.js";
import { ran } from "./runs.test-support.js";

describe("harness verify", () => {
  it("confirms a trace, prints its head, and takes the head as proof that nothing was cut off", async () => {
    using at = desk();
    const id = await ran(at);
    const { code, printed } = await at.harness(["verify", id]);
    const head = /^head ([0-9a-f]{64})$/m.exec(printed)?.[1] ?? "";
    await at.cutAfter(({ type }) => type === "tool.finished");
    const cut = await at.harness(["verify", id]);

    expect(code).toBe(0);
    expect(cut).toMatchObject({ code: 0, printed: expect.stringContaining("the run has not ended") });
    expect(await at.harness(["verify", id, "--head", head])).toMatchObject({
      code: 5,
      printed: expect.stringContaining("a tail was cut"),
    });
  });

  it.each([
    [
      "a character of its content is changed",
      "content",
      /^broken at event \d+ \(completion\.finished\): its content was changed\n$/,
    ],
    ["a character of its facts is changed", "facts", /^broken at event \d+ \(completion\.finished\): its facts/],
    ["it is deleted from the middle", "row", /^broken at event \d+ \(\S+\): it follows event \d+/],
  ] as const)("exits with 5 and names the event when %s", async (_how, what, message) => {
    using at = desk();
    const id = await ran(at);
    damage(at.storePath, "completion.finished", what);
    const { code, printed } = await at.harness(["verify", id]);

    expect(code).toBe(5);
    expect(printed).toMatch(message);
  });
});

describe("harness policy explain", () => {
  it("gives verdict, rule and layer, under the usual policy or another", async () => {
    using at = desk();
    const policy = at.file("p.json", {
      layers: [{ name: "app", rules: [{ act: "exec", effect: "allow", pattern: "npm*" }] }],
      defaults: { read: "deny", write: "deny", exec: "ask" },
    });
    const explain = async (...words: readonly string[]) => (await at.harness(["policy", "explain", ...words])).printed;

    expect(await explain("read", "src/a.ts", ".env")).toBe(
      'allow  read src/a.ts  by the default\ndeny  read .env  by rule ".env" of layer "secrets"\n',
    );
    expect(await explain("exec", "--policy", policy, "--", "npm", "test", "--watch")).toBe(
      'allow  exec npm test --watch  by rule "npm*" of layer "app"\n',
    );
    expect(await explain("net", "--policy", policy, "example.com:443")).toBe(
      "deny  net example.com:443  by the default\n",
    );
  });

  it("says of what no rule can allow that no rule can", async () => {
    using at = desk();
    const { code, printed } = await at.harness(["policy", "explain", "read", "../outside"]);

    expect(code).toBe(0);
    expect(printed).toMatch(/^deny {2}read \.\.\/outside {2}whatever the rules say: /);
  });
});
