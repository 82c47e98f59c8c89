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
      },
      { id: "run-22", state: "interrupted", outcome: null, steps: 12, createdAt: 59_000, goal: null },
    ] as const;

    expect(runsTable(rows, 60_000, 70, plain)).toEqual([
      "id      state        outcome  steps  age    goal",
      "run-1   ended        success  4      60 s   Make it pass.",
      "run-22  interrupted  –        12     1.0 s  –",
    ]);
  });
});
