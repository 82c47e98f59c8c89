import { describe, expect, it } from "vitest";
import { damage } from "./damage.test-support.js";
import { type Desk, desk, openPolicy } from "./desk.test-support.js";

async function ran(at: Desk): Promise<string> {
  const write = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
  const policy = at.file("policy.json", openPolicy);
  await at.harness(["run", at.contract(), "--provider", at.provider([write]), "--policy", policy]);
  return (await at.stored()).id;
}

describe("harness runs", () => {
  it("says that there are none, where there are none", async () => {
    using at = desk();

    expect(await at.harness(["runs"])).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^There are no runs in /),
    });
    expect(await at.harness(["runs", "--json"])).toMatchObject({ code: 0, printed: "" });
  });

  it("lists them, newest first, with what became of each", async () => {
    using at = desk();
    const first = await ran(at);
    await at.harness([
      "run",
      at.contract({ goal: "Do\nmore." }),
      "--provider",
      at.provider([{ calls: [{ name: "exec", arguments: { argv: ["x"] } }] }]),
    ]);
    const { printed } = await at.harness(["runs"]);
    const [, newest = "", older = ""] = printed.split("\n");

    expect(newest).toMatch(/ paused +awaiting-approval +0 .* Do more\.$/);
    expect(older).toMatch(new RegExp(`^${first} +ended +finished +2 .* Do it\\.$`));
    expect((await at.harness(["runs", "--limit", "1"])).printed.trim().split("\n")).toHaveLength(2);
  });

  it("tells a run that was cut short from one that is driven", async () => {
    using at = desk();
    await ran(at);
    const id = await at.cutAfter(({ type }) => type === "tool.started");
    const { printed } = await at.harness(["runs", "--json"]);

    expect(JSON.parse(printed)).toEqual({
      id,
      state: "interrupted",
      outcome: null,
      steps: 1,
      createdAt: 1,
      goal: "Do it.",
    });
  });
});

describe("harness trace", () => {
  it("prints with --json exactly the events, one on each line", async () => {
    using at = desk();
    const { printed } = await at.harness(["trace", await ran(at), "--json"]);

    expect(printed.endsWith("\n")).toBe(true);
    expect(
      printed
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(await at.events());
  });

  it("tells the same story as the run did while it ran", async () => {
    using at = desk();
    const policy = at.file("policy.json", openPolicy);
    const write = { text: "So.", calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
    const live = await at.harness(["run", at.contract(), "--provider", at.provider([write]), "--policy", policy]);
    const { printed } = await at.harness(["trace", (await at.stored()).id]);
    const story = live.printed.slice(0, live.printed.indexOf("\nWhat it changed"));

    expect(printed.startsWith(story.trimEnd())).toBe(true);
    expect(printed).toContain("✓ write_file  write a.txt (allowed by the default)  +1 −0");
    expect(printed).toMatch(/30 tokens: 20 in, 10 out, over 2 completions\n$/);
  });

  it("says that a log goes no further", async () => {
    using at = desk();
    await ran(at);
    const id = await at.cutAfter(({ type }) => type === "completion.started");

    expect((await at.harness(["trace", id])).printed).toContain("The log goes no further");
  });
});

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
