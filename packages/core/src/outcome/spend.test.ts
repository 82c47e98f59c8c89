import type { Usage } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addEstimate, addUsage, noSpend, readUsage, type Spend } from "./spend.js";

const fields = [
  "promptTokens",
  "completionTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;
const counts = fc.record(
  Object.fromEntries(fields.map((field) => [field, fc.nat(1e9)])) as Record<keyof Usage, fc.Arbitrary<number>>,
);
const anything = fc.record(
  Object.fromEntries(fields.map((field) => [field, fc.oneof(fc.anything(), fc.double())])) as Record<
    keyof Usage,
    fc.Arbitrary<unknown>
  >,
  {
    requiredKeys: [],
  },
);

describe("usage", () => {
  it("and its sum are made of counts, whatever a vendor sends", () => {
    fc.assert(
      fc.property(fc.array(anything), (sent) => {
        const counted = sent.map((usage) => readUsage(usage as never) ?? noSpend);
        const sum = counted.reduce<Spend>(addUsage, noSpend);
        for (const value of [...counted, sum].flatMap(Object.values)) {
          expect(Number.isInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("is left as it was when it is made of counts", () => {
    fc.assert(
      fc.property(counts, (usage) => {
        fc.pre(usage.totalTokens > 0);
        expect(readUsage(usage)).toEqual(usage);
      }),
    );
  });

  it("has a total even when the vendor gives only its parts", () => {
    expect(readUsage({ ...noSpend, promptTokens: 3, completionTokens: 4 })?.totalTokens).toBe(7);
  });

  it("is unknown when the vendor sends none", () => {
    expect([readUsage(null), readUsage(undefined)]).toEqual([null, null]);
  });
});

describe("spend", () => {
  it("is the sum of what was used, in any order", () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 8 }), (usages) => {
        const sum = usages.reduce(addUsage, noSpend);
        expect(usages.toReversed().reduce(addUsage, noSpend)).toEqual(sum);
        for (const field of fields) expect(sum[field]).toBe(usages.reduce((total, usage) => total + usage[field], 0));
      }),
    );
  });

  it("takes four characters for a token where only lengths are known, and counts how often it had to", () => {
    expect(addEstimate(addEstimate(noSpend, 400, 41), 4, 0)).toEqual({
      ...noSpend,
      promptTokens: 101,
      completionTokens: 11,
      totalTokens: 112,
      estimatedCompletions: 2,
    });
  });
});
