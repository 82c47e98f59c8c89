import { describe, expect, it } from "vitest";
import { billsOf, type EventOf, priceTable, totalOf, type Usage } from "./index.js";

const usageOf = (promptTokens: number): Usage => ({
  promptTokens,
  completionTokens: 0,
  totalTokens: promptTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});
const finished = (facts: object) => ({ type: "completion.finished", model: "m", usage: null, ...facts }) as never;
const failed = (facts: object): EventOf<"completion.failed"> =>
  ({ type: "completion.failed", usage: null, ...facts }) as never;
const link = (model: string | null, usage: Usage | null) => ({
  ...{ provider: "a", kind: "server", status: 500, vendorCode: null },
  ...{ model, usage },
});

describe("what a completion is billed for", () => {
  it("is its answer, by the model that answered, whether or not anyone counted", () => {
    expect(billsOf(finished({ usage: usageOf(3) }), "alias")).toEqual([{ model: "m", usage: usageOf(3) }]);
    expect(billsOf(finished({}), "alias")).toEqual([{ model: "m", usage: null }]);
  });

  it("is what a failed attempt used, by the model that was asked, and nothing for one that used nothing", () => {
    expect(billsOf(failed({ usage: usageOf(3) }), "alias")).toEqual([{ model: "alias", usage: usageOf(3) }]);
    expect(billsOf(failed({}), "alias")).toEqual([]);
  });

  it("is what the links before it used, too, each by its own model", () => {
    const failedLinks = [link("m-a", usageOf(1)), link("m-b", null), link(null, usageOf(2))];

    expect(billsOf(finished({ usage: usageOf(3), failedLinks }), "alias")).toEqual([
      { model: "m-a", usage: usageOf(1) },
      { model: null, usage: usageOf(2) },
      { model: "m", usage: usageOf(3) },
    ]);
  });

  it("is by no model where the last link of several failed: it was not asked for what the first one was", () => {
    expect(billsOf(failed({ usage: usageOf(3), failedLinks: [link("m-a", null)] }), "m-a")).toEqual([
      { model: null, usage: usageOf(3) },
    ]);
  });
});

describe("a total", () => {
  const price = { input: 600_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  const table = priceTable({ asOf: "2026-01-31", prices: { m: price } });

  it("adds up what was rounded for each, and counts what has no price", () => {
    const one = { model: "m", usage: usageOf(1) };
    const bills = [one, one, { model: "other", usage: usageOf(1) }, { model: "m", usage: null }];

    expect(totalOf(bills, table)).toEqual({ micros: 2, unpriced: 2 });
  });

  it("of nothing is nothing", () => {
    expect(totalOf([], table)).toEqual({ micros: 0, unpriced: 0 });
  });
});
