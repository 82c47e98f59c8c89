import { callId, type NewEvent } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { asks, started, timelineOf } from "./log.test-support.js";
import { followLive, noTail, statusLine } from "./status-line.js";

const step: NewEvent = { type: "step.started", step: 1 };
const asking = {
  type: "completion.started",
  step: 1,
  attempt: 1,
  model: null,
  messages: 1,
  digest: "",
  reserved: 0,
} as NewEvent;
const line = (tail = noTail, columns = 80, ...events: readonly NewEvent[]) =>
  statusLine({ timeline: timelineOf(...events), tail, now: 5_000, columns });

describe("the status line", () => {
  it("says what is waited for, and the end of what has come", () => {
    const tail = followLive(followLive(noTail, { type: "text", step: 1, text: "Let me\n" }), {
      type: "text",
      step: 1,
      text: "look.",
    });

    expect(line(noTail, 80, started, step, asking)).toBe("step 1 of 12, 5.0 s · waiting for the model");
    expect(line(tail, 80, started, step, asking)).toBe("step 1 of 12, 5.0 s · the model: …Let me look.");
  });

  it("forgets what an attempt said that came to nothing", () => {
    const tail = followLive({ text: "Half an", progress: "" }, { type: "reset", step: 1 });

    expect(line(tail, 80, started, step, asking)).toContain("waiting for the model");
  });

  it("shows the last line of a command's output", () => {
    const acts = [
      { act: { type: "exec", target: "make", argv: ["make", "all"] }, verdict: { effect: "allow" } },
    ] as const;
    const running: NewEvent = { type: "tool.started", step: 1, call: callId(1, 1), acts };
    const tail = followLive(noTail, { type: "tool-progress", step: 1, call: "1.1", text: "cc a.c\ncc b.c\n" });

    expect(line(tail, 80, started, step, asks(1, { name: "exec" }), running)).toBe(
      "step 1 of 12, 5.0 s · exec make all │ cc b.c",
    );
  });

  it("says that somebody has to answer", () => {
    const call = callId(1, 1);
    const event = { type: "question.asked", step: 1, question: "r/1.1", call } as NewEvent;
    const shown = line(noTail, 80, started, step, asks(1, { name: "ask_question" }), event);

    expect(shown).toBe("step 1 of 12, 5.0 s · waiting for an answer");
  });

  it("says that the check runs", () => {
    expect(line(noTail, 80, started, step, { type: "gate.started", step: 1, attempt: 1 })).toContain("check: ");
  });

  it("is never longer than the terminal is wide", () => {
    const tail = { text: "words ".repeat(50), progress: "" };

    expect(line(tail, 30, started, step, asking).length).toBeLessThan(30);
  });
});
