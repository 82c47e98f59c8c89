import { describe, expect, it } from "vitest";
import { formatJson, formatTable } from "./report.js";
import { atMost, type Row, ratioAtLeast, ratioAtMost } from "./row.js";

const rows: readonly Row[] = [
  { name: "a step", unit: "µs/step", ours: 30, baseline: { name: "hand", value: 8 }, target: ratioAtMost(4) },
  { name: "many", unit: "steps/s", ours: 4_321.4, baseline: { name: "hand", value: 900 }, target: ratioAtLeast(5) },
  { name: "commits", unit: "commits/step", ours: 1, target: atMost(2) },
  { name: "a block", unit: "ms", ours: 6.126 },
];

describe("formatTable", () => {
  it("says of every row what it is held to and whether it meets it", () => {
    expect(formatTable(rows).split("\n")).toEqual([
      "measure               ours   baseline  ratio            target",
      "a step        30.0 µs/step  hand 8.00  3.75×              ≤ 4×  ok",
      "many         4,321 steps/s   hand 900  4.80×              ≥ 5×  miss",
      "commits  1.00 commits/step          –      –  ≤ 2 commits/step  ok",
      "a block            6.13 ms          –      –                 –",
    ]);
  });

  it("takes a figure that is just met as met", () => {
    const row: Row = {
      name: "even",
      unit: "ms",
      ours: 4,
      baseline: { name: "bare", value: 1 },
      target: ratioAtMost(4),
    };

    expect(formatTable([row])).toMatch(/ok$/);
  });

  it("says why a row has no verdict, if the row does", () => {
    const row: Row = { name: "alone", unit: "ms", ours: 4, note: "nothing to compare with" };

    expect(formatTable([row])).toMatch(/– {2}nothing to compare with$/);
  });

  it("refuses a ratio as a target where there is nothing to divide by", () => {
    const row: Row = { name: "alone", unit: "ms", ours: 4, target: ratioAtMost(4) };

    expect(() => formatTable([row])).toThrow('"alone" has a ratio as its target and no baseline');
  });

  it("makes a table without rows", () => {
    expect(formatTable([])).toBe("measure  ours  baseline  ratio  target");
  });
});

describe("formatJson", () => {
  it("holds the machine and every row with its ratio and verdict", () => {
    const machine = { node: "v20.19.0", platform: "linux-x64", cores: 2, at: "2030-01-01T00:00:00.000Z" };

    expect(JSON.parse(formatJson(machine, rows))).toEqual({
      ...machine,
      results: [
        { ...rows[0], ratio: 3.75, ok: true },
        { ...rows[1], ratio: 4_321.4 / 900, ok: false },
        { ...rows[2], ratio: null, ok: true },
        { ...rows[3], ratio: null, ok: null },
      ],
    });
  });
});
