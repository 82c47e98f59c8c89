import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { damage, execute } from "./damage.test-support.js";
import { type Desk, desk } from "./desk.test-support.js";
import { ran } from "./runs.test-support.js";

const check = (at: Desk, ...flags: readonly string[]) => at.harness(["store", "check", ...flags]);

describe("harness store check", () => {
  it("says that nothing is wrong, with how much, and writes nothing", async () => {
    using at = desk();
    await ran(at);
    const first = await at.events();
    await ran(at);
    const second = await at.events();
    const before = readFileSync(at.storePath);
    const { code, printed } = await check(at);

    expect({ code, printed }).toEqual({
      code: 0,
      printed: `Nothing is wrong with ${at.storePath} (2 runs, ${first.length + second.length} events)\n`,
    });
    expect(readFileSync(at.storePath)).toEqual(before);
  });

  it("prints a line for each problem, exits with 5, and says how to mend what can be", async () => {
    using at = desk();
    await ran(at);
    damage(at.storePath, "completion.finished", "facts");
    execute(at.storePath, "drop view spend");
    const { code, printed } = await check(at);
    const lines = printed.trimEnd().split("\n");

    expect(code).toBe(5);
    expect(lines).toHaveLength(4);
    expect(printed).toContain('"spend"');
    expect(lines.at(-2)).toBe(`2 problems in ${at.storePath}`);
    expect(lines.at(-1)).toBe("To mend what can be: harness store check --mend");
  });

  it("mends what can be, and is content where that was all", async () => {
    using at = desk();
    await ran(at);
    execute(at.storePath, "drop view spend");
    const { code, printed } = await check(at, "--mend");

    expect(code, printed).toBe(0);
    expect(printed).toMatch(/"spend".*\nMended\. Nothing is wrong any more with .*runs\.db \(1 run, \d+ events\)\n$/);
    expect((await check(at)).code).toBe(0);
  });

  it("exits with 5 while something is left that cannot be mended", async () => {
    using at = desk();
    await ran(at);
    damage(at.storePath, "completion.finished", "facts");
    const looked = await check(at);
    const { code, printed } = await check(at, "--mend");

    expect(looked.printed).not.toContain("--mend");
    expect(code).toBe(5);
    expect(printed).toMatch(new RegExp(`\\n1 problem in ${at.storePath}, mended as far as it can be\n$`));
  });

  it("prints one object with --json", async () => {
    using at = desk();
    await ran(at);
    const fine = await check(at, "--json");
    damage(at.storePath, "completion.finished", "facts");
    const broken = await check(at, "--json");

    expect(JSON.parse(fine.printed)).toMatchObject({ path: at.storePath, problems: [], left: [], runs: 1 });
    expect(JSON.parse(broken.printed)).toMatchObject({ problems: [expect.any(String)], runs: null, events: null });
    expect([fine.code, broken.code]).toEqual([0, 5]);
  });

  it("says of what is no store that it is none", async () => {
    using at = desk();
    const file = at.file("not.db", "This is no database at all. ".repeat(99));
    const { code, printed } = await check(at, "--store", file);

    expect(code).toBe(5);
    expect(printed).toContain("not.db");
  });
});
