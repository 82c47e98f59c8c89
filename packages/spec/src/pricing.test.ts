import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, hasPrice, microsText, type PriceTable, priceTable, type Usage } from "./index.js";

const usage = (parts: Partial<Usage> = {}): Usage => ({
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  ...parts,
});
const price = { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 };
const table = (prices: object): PriceTable => priceTable({ asOf: "2026-01-31", prices });
const micros = (parts: Partial<Usage>, prices: object = { m: price }) => costOf(usage(parts), "m", table(prices));

describe("the cost of a completion", () => {
  it("is each kind of token at its price, caches being parts of the prompt and reasoning of the answer", () => {
    const parts = { promptTokens: 2_593, cacheReadTokens: 2_560, completionTokens: 100, reasoningTokens: 40 };

    // 33 at 3, 2,560 at 0.3 and 100 at 15 micro-units.
    expect(micros(parts)).toEqual({ type: "priced", micros: 99 + 768 + 1_500, minPromptTokens: 0 });
    expect(micros({ promptTokens: 10, cacheWriteTokens: 10 })).toMatchObject({ micros: 38 });
  });

  it("is rounded once, half up, and not for each kind", () => {
    const penny = { input: 400_000, output: 100_000, cacheRead: 0, cacheWrite: 0 };

    expect(micros({ promptTokens: 1 }, { m: penny })).toMatchObject({ micros: 0 });
    expect(micros({ promptTokens: 1, completionTokens: 1 }, { m: penny })).toMatchObject({ micros: 1 });
  });

  it("is never less than nothing for a vendor that counts more in its cache than it was sent", () => {
    expect(micros({ promptTokens: 1, cacheReadTokens: 10 })).toMatchObject({ micros: 3 });
  });

  it("is by the highest tier that the prompt reaches, for all of the request", () => {
    const dear = { ...price, input: 6_000_000, minPromptTokens: 200_000 };
    const dearest = { ...price, input: 9_000_000, minPromptTokens: 400_000 };
    const prices = { m: { ...price, tiers: [dearest, dear] } };

    expect(micros({ promptTokens: 199_999 }, prices)).toMatchObject({ micros: 599_997, minPromptTokens: 0 });
    expect(micros({ promptTokens: 200_000 }, prices)).toMatchObject({ micros: 1_200_000, minPromptTokens: 200_000 });
    expect(micros({ promptTokens: 500_000 }, prices)).toMatchObject({ micros: 4_500_000, minPromptTokens: 400_000 });
  });

  it("is unpriced, and not 0, where something is not known", () => {
    const prices = table({ m: price });

    expect(costOf(usage(), "another", prices)).toEqual({ type: "unpriced", why: "no-price" });
    expect(costOf(usage(), "toString", prices)).toEqual({ type: "unpriced", why: "no-price" });
    expect(costOf(usage(), null, prices)).toEqual({ type: "unpriced", why: "no-model" });
    expect(costOf(null, "m", prices)).toEqual({ type: "unpriced", why: "no-usage" });
  });

  it("is 0 where the price says so, which is a price", () => {
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

    expect(micros({ promptTokens: 9e9, completionTokens: 9e9 }, { m: free })).toMatchObject({
      type: "priced",
      micros: 0,
    });
    expect(hasPrice(table({ m: free }), "m")).toBe(true);
  });

  it("is a whole number that never falls when more is used", () => {
    const count = fc.nat(1e12);
    const parts = fc.record({
      promptTokens: count,
      completionTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
    });
    fc.assert(
      fc.property(
        parts,
        fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count }),
        (some, rates) => {
          const less = micros(some, { m: rates });
          const more = micros({ ...some, completionTokens: some.completionTokens + 1 }, { m: rates });
          if (less.type !== "priced" || more.type !== "priced") throw new Error("It has a price.");
          expect(Number.isInteger(less.micros)).toBe(true);
          expect(more.micros).toBeGreaterThanOrEqual(less.micros);
        },
      ),
    );
  });
});

describe("a table of prices", () => {
  it("is read as it is written, tiers in order", () => {
    const tier = (minPromptTokens: number) => ({ ...price, minPromptTokens });
    const read = priceTable({
      asOf: "2026-01-31",
      currency: "USD",
      prices: { m: { ...price, tiers: [tier(9), tier(1)] } },
    });

    expect(read).toEqual({
      asOf: "2026-01-31",
      currency: "USD",
      prices: { m: { ...price, tiers: [tier(1), tier(9)] } },
    });
    expect(priceTable(read)).toEqual(read);
  });

  it.each<[what: string, input: unknown, told: string]>([
    ["nothing", undefined, "it must be an object"],
    ["no day", { prices: {} }, "asOf"],
    ["a day that is none", { asOf: "2026-13-45", prices: {} }, "asOf"],
    ["no prices", { asOf: "2026-01-31" }, "prices must be"],
    [
      "a price left out",
      { asOf: "2026-01-31", prices: { m: { ...price, cacheRead: undefined } } },
      "prices.m.cacheRead is missing",
    ],
    ["a price with a fraction", { asOf: "2026-01-31", prices: { m: { ...price, input: 0.5 } } }, "prices.m.input"],
    ["a price below nothing", { asOf: "2026-01-31", prices: { m: { ...price, output: -1 } } }, "prices.m.output"],
    ["a misspelt key", { asOf: "2026-01-31", prices: { m: { ...price, cacheReads: 1 } } }, "prices.m.cacheReads"],
    [
      "a tier that is half a price",
      { asOf: "2026-01-31", prices: { m: { ...price, tiers: [{ minPromptTokens: 1 }] } } },
      "tiers.0.input",
    ],
    [
      "two tiers from the same size on",
      {
        asOf: "2026-01-31",
        prices: {
          m: {
            ...price,
            tiers: [
              { ...price, minPromptTokens: 5 },
              { ...price, minPromptTokens: 5 },
            ],
          },
        },
      },
      "two tiers from 5 tokens on",
    ],
  ])("is refused with the place of what is wrong when it has %s", (_what, input, told) => {
    expect(() => priceTable(input)).toThrowError(told);
    expect(() => priceTable(input)).toThrowError(expect.objectContaining({ code: "config-invalid" }));
  });
});

describe("money in words", () => {
  it.each([
    [0, "0.00"],
    [1, "0.000001"],
    [12_340, "0.01234"],
    [500_000, "0.50"],
    [1_234_567_890_000, "1234567.89"],
  ])("has two places at least and six at most: %i", (given, told) => {
    expect(microsText(given, {})).toBe(told);
    expect(microsText(given, { currency: "EUR" })).toBe(`${told} EUR`);
  });
});
