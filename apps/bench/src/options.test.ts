import { describe, expect, it } from "vitest";
import { parseOptions } from "./options.js";

const known = ["memory", "spawn"];

describe("parseOptions", () => {
  it("measures everything thoroughly and forgives a miss, unless told otherwise", () => {
    const options = parseOptions([], known);

    expect(options).toMatchObject({ isQuick: false, isStrict: false, only: [] });
    expect(options.file).toMatch(/bench[\\/]results\.json$/);
  });

  it("takes a file, and one measure or several", () => {
    expect(parseOptions(["--quick", "--strict", "--only", "spawn", "--only", "memory", "out.json"], known)).toEqual({
      isQuick: true,
      isStrict: true,
      only: ["spawn", "memory"],
      file: "out.json",
    });
  });

  it("names the measures there are when it is asked for another", () => {
    expect(() => parseOptions(["--only", "speed"], known)).toThrow('no measure "speed". Measures: memory, spawn.');
  });

  it("refuses an option there is not, and a second file", () => {
    expect(() => parseOptions(["--fast"], known)).toThrow(TypeError);
    expect(() => parseOptions(["a.json", "b.json"], known)).toThrow("2 were named");
  });
});
