import { describe, expect, it } from "vitest";
import { type Desk, desk } from "./desk.test-support.js";

// A completion of a module here has 10 + 5 tokens of the model `m`: 20 micro-units.
const price = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 };
const table = (model = "m") => ({ asOf: "2026-01-31", currency: "USD", prices: { [model]: price } });
const look = { calls: [{ name: "list_dir", arguments: {} }] };

const ran = (at: Desk, contract: object, ...more: readonly string[]) =>
  at.harness(["run", at.contract(contract), "--provider", at.provider([look, { text: "Done." }]), ...more]);

describe("what a run cost", () => {
  it("is shown by a table, in the list and in the trace, for a run that knew of no prices", async () => {
    using at = desk();
    await ran(at, {});
    const { id } = await at.stored();
    const prices = at.file("prices.json", table());

    const list = (await at.harness(["runs", "--prices", prices])).printed;
    const trace = (await at.harness(["trace", id, "--prices", prices])).printed;

    expect(list).toMatch(/ steps +tokens +cost +age /);
    expect(list).toMatch(/ 2 +30 +0\.00004 USD /);
    expect(trace).toMatch(/\(m, 10 \+ 5 tokens, 0\.00002 USD, /);
    expect(trace).toContain("  spend     30 tokens: 20 in, 10 out, over 2 completions\n");
    expect(trace).toContain("  cost      0.00004 USD by the prices of 2026-01-31\n");
  });

  it("is not spoken of without a table, but the tokens are", async () => {
    using at = desk();
    await ran(at, {});
    const { id } = await at.stored();

    expect((await at.harness(["runs"])).printed).toMatch(/ steps +tokens +age .*\n\S+ +ended +finished +2 +30 /);
    expect((await at.harness(["trace", id])).printed).not.toContain("cost");
  });

  it("is by the prices that the run was driven with, where the reader has none", async () => {
    using at = desk();
    await ran(at, {}, "--prices", at.file("prices.json", table()));
    const { id } = await at.stored();
    const [row] = (await at.harness(["runs", "--json"])).printed.trim().split("\n");

    expect(JSON.parse(row ?? "")).toMatchObject({
      tokens: 30,
      cost: { micros: 40, unpriced: 0, asOf: "2026-01-31", currency: "USD" },
    });
    expect((await at.harness(["trace", id])).printed).toContain("0.00004 USD by the prices of 2026-01-31");
    const other = at.file("others.json", { ...table(), asOf: "2026-02-01", currency: "EUR" });
    expect((await at.harness(["trace", id, "--prices", other])).printed).toContain(
      "0.00004 EUR by the prices of 2026-02-01",
    );
  });

  it("says what it leaves out: a model without a price is not one that costs nothing", async () => {
    using at = desk();
    await ran(at, {});
    const { id } = await at.stored();
    const prices = at.file("prices.json", table("another"));

    expect((await at.harness(["runs", "--prices", prices])).printed).toContain(" 0.00 USD + ? ");
    const { printed } = await at.harness(["trace", id, "--prices", prices]);
    expect(printed).toContain("(m, 10 + 5 tokens, no price, ");
    expect(printed).toContain("0.00 USD by the prices of 2026-01-31; 2 completions have no price\n");
  });

  it.each([
    ["a table with a misspelt key", { ...table(), price: {} }],
    ["no table", "nothing"],
  ])("is refused for %s", async (_what, content) => {
    using at = desk();
    const prices = at.file("prices.json", content);

    expect(await at.harness(["runs", "--prices", prices])).toMatchObject({
      code: 2,
      complained: expect.stringContaining("price table"),
    });
  });
});

describe("a budget of money", () => {
  const limited = { limits: { maxCostMicros: 30 }, verify: { type: "file-equals", path: "a.txt", text: "a" } };

  it("is refused without prices, with nothing asked", async () => {
    using at = desk();

    expect(await ran(at, limited)).toMatchObject({ code: 2, complained: expect.stringContaining("prices") });
    expect((await at.harness(["runs", "--json"])).printed).toBe("");
  });

  it("stops the run when it is used up, and says how to go on with more", async () => {
    using at = desk();
    const { code, printed } = await ran(at, limited, "--prices", at.file("prices.json", table()));

    expect(code).toBe(1);
    expect(printed).toMatch(/limits +12 steps, 0\.00003 USD/);
    expect(printed).toContain("it has used up its money");
    expect(printed).toMatch(/go on +harness resume \S+ --max-cost-micros 60\n/);
    const { id } = await at.stored();
    const more = await at.harness(["resume", id, "--max-cost-micros", "200", "--max-steps", "3"]);
    expect(more.printed).toContain("it has used up its steps");
  });

  it("stops it when a model answers that has no price, and goes on once it has one", async () => {
    using at = desk();
    const contract = { limits: { maxCostMicros: 1_000 } };
    const { code, printed } = await ran(at, contract, "--prices", at.file("prices.json", table("another")));
    const { id } = await at.stored();

    expect(code).toBe(1);
    expect(printed).toContain("m answered, which its prices do not have");
    expect(printed).toMatch(/go on +harness resume \S+ --prices '<prices.json>'\n/);
    const more = await at.harness(["resume", id, "--prices", at.file("more.json", table())]);
    expect(more).toMatchObject({ code: 0, complained: "" });
  });

  it("leaves such a model out where that is asked for", async () => {
    using at = desk();
    const prices = at.file("prices.json", table("another"));

    const { code } = await ran(at, { limits: { maxCostMicros: 1 } }, "--prices", prices, "--unpriced", "allow");

    expect(code).toBe(0);
  });
});
