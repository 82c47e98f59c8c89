import { callId, type NewEvent, type PlanId, type QuestionId } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { asks, lastLines, started } from "./log.test-support.js";

const call = callId(1, 1);
const question = "r/1.1" as QuestionId;
const plan = "r/1.1" as PlanId;
const step: NewEvent = { type: "step.started", step: 1 };
const begun = [started, step, asks(1, { name: "ask_question" })] as const;
const last = (event: object) => lastLines(...begun, { step: 1, ...event } as NewEvent);

describe("what people are asked", () => {
  it("is a question with what was said around it, which cannot steer the terminal", () => {
    const content = { question: "Which\x1b[2J one?\nQuick.", context: "For the door.", choices: ["red", "b\nlue"] };

    expect(last({ type: "question.asked", question, call, content })).toEqual([
      "  ? asks: Which one?",
      "      Quick.",
      "      For the door.",
      "      1. red",
      "      2. b lue",
    ]);
    expect(last({ type: "question.answered", question, by: "ada", content: { text: "red\nor so" } })).toEqual([
      "  ✓ answered by ada: red",
      "      or so",
    ]);
  });

  it("is a plan, and what is thought of it", () => {
    const decided = (verdict: string, correction: string | null = null) =>
      last({ type: "plan.decided", plan, verdict, by: "ada", content: { correction } });

    expect(last({ type: "plan.proposed", plan, call, content: { steps: [{ intent: "Look." }] } })).toEqual([
      "  ? proposes a plan of 1 step",
      "      1. Look.",
    ]);
    expect(decided("approve")).toEqual(["  ✓ plan approved by ada"]);
    expect(decided("cancel")).toEqual(["  ✗ called off by ada; that ends the run"]);
    expect(decided("revise", "Twice.")).toEqual(["  ↻ plan sent back by ada: Twice."]);
  });

  it("is told without its words where retention has emptied them", () => {
    expect(last({ type: "question.asked", question, call })).toEqual(["  ? a question (not kept)"]);
    expect(last({ type: "question.answered", question, by: "ada" })).toEqual(["  ✓ answered by ada: (not kept)"]);
    expect(last({ type: "plan.proposed", plan, call })).toEqual(["  ? a plan (not kept)"]);
  });
});

describe("what was undone", () => {
  const rewound = (rest: object) => last({ type: "files.rewound", scope: "step", undid: 2, forced: false, ...rest });

  it("is told file by file once it was done", () => {
    const paths = [
      { path: "a.ts", result: "reversed", after: null },
      { path: "b.ts", result: "stale" },
    ];

    expect(rewound({ phase: "intended", paths })).toEqual(["", "· somebody begins to undo step 2"]);
    expect(rewound({ phase: "done", paths })).toEqual([
      "",
      "↻ undone: step 2",
      "      a.ts is without the changes of the step",
      "      ! b.ts is left alone: somebody has changed it since",
    ]);
  });

  it("says that it was forced", () => {
    expect(rewound({ phase: "done", scope: "run", undid: null, forced: true, paths: [] })).toEqual([
      "",
      "↻ undone: everything, whoever has changed it since",
    ]);
  });
});
