import { describe, expect, it } from "vitest";
import { plain } from "./paint.js";
import { runsTable } from "./runs-table.js";

describe("the table of runs", () => {
  it("lines its columns up and gives the goal what room there is", () => {
    const rows = [
      {
        id: "run-1",
        state: "ended",
        outcome: { type: "success", steps: 4 },
        steps: 4,
        createdAt: 0,
        goal: "Make it\npass.",
        tokens: 12_345,
        cost: null,
      },
      {
        id: "run-22",
        state: "interrupted",
        outcome: null,
        steps: 12,
        createdAt: 59_000,
        goal: null,
        tokens: 0,
        cost: null,
      },
    ] as const;

    expect(runsTable(rows, 60_000, 70, plain)).toEqual([
      "id      state        outcome  steps  tokens  age    goal",
      "run-1   ended        success  4      12,345  60 s   Make it pass.",
      "run-22  interrupted  –        12     0       1.0 s  –",
    ]);
  });

  it("has a column for money where there is some to show", () => {
    const row = { id: "run-1", state: "ended", outcome: null, steps: 1, createdAt: 0, goal: "g", tokens: 15 } as const;
    const cost = { asOf: "2026-01-31", currency: "USD", micros: 12_340, unpriced: 0 };
    const rows = [
      { ...row, cost },
      { ...row, cost: { ...cost, unpriced: 2 } },
      { ...row, cost: null },
    ];

    expect(runsTable(rows, 0, 90, plain).map((line) => line.replace(/ +/g, " "))).toEqual([
      "id state outcome steps tokens cost age goal",
      "run-1 ended – 1 15 0.01234 USD 0 ms g",
      "run-1 ended – 1 15 0.01234 USD + ? 0 ms g",
      "run-1 ended – 1 15 – 0 ms g",
    ]);
  });
});
