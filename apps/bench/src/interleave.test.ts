import { describe, expect, it } from "vitest";
import { interleave, median } from "./interleave.js";

describe("median", () => {
  it("is the middle of an odd number of values, whatever their order", () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it("is the mean of the two in the middle of an even number", () => {
    expect(median([4, 1, 100, 2])).toBe(3);
  });

  it("refuses to be the median of nothing", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("interleave", () => {
  it("takes samples in turn, every second round backwards, and leaves out the first round", async () => {
    const taken: string[] = [];
    const sampler = (name: string, values: number[]) => () => {
      taken.push(name);
      return values.shift() ?? Number.NaN;
    };

    const medians = await interleave({ a: sampler("a", [1_000, 1, 2, 9]), b: sampler("b", [2_000, 7, 8, 8]) }, 3);

    expect(taken.join("")).toBe("abbaabba");
    expect(medians).toEqual({ a: 2, b: 8 });
  });

  it("keeps the first round when it need not warm up", async () => {
    expect(await interleave({ a: () => 5 }, 1, { warmUp: false })).toEqual({ a: 5 });
  });

  it("rejects with what a sampler throws", async () => {
    const broken = () => Promise.reject(new Error("no disk"));

    await expect(interleave({ broken }, 3)).rejects.toThrow("no disk");
  });
});
