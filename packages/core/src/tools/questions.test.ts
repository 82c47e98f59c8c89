import { Policy } from "@harness/policy";
import type { Question, QuestionId, Responder } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { eventsIn, only, openStage, statuses, theRun, typesOf } from "../run/stage.test-support.js";
import { aborted, deferred, reader, turn, writer } from "./tools.test-support.js";

const stage = openStage();
const contract = { questions: true } as const;
const ask = (question: string, more = {}) => call("ask_question", { question, ...more });
const script = [ask("Which colour?", { context: "For the door.", choices: ["red", "blue"] }), say("Done.")];
const tools = [reader()];

/** Answers with `answers` in turn, and keeps what it was asked. */
function responderOf(...answers: readonly unknown[]) {
  const asked: Question[] = [];
  const responder: Responder = {
    async answer(question) {
      const answer = answers[asked.push(question) - 1];
      if (answer instanceof Error) throw answer;
      return answer as string | null;
    },
  };
  return { responder, asked };
}

describe("ask_question", () => {
  it("is offered where the contract wants questions, and nowhere else", async () => {
    const { responder } = responderOf("red");
    const { provider, events } = await stage.drive(script, { contract, tools, responder });
    const without = await stage.drive([ask("Which?"), say("Done.")], { tools });

    expect(provider.requests[0]?.request.tools.map(({ name }) => name)).toEqual(["look", "ask_question"]);
    expect(only(events, "run.started")[0]?.tools).toContainEqual({
      ...{ name: "ask_question", effect: "write", recovery: "replayable" },
    });
    expect(without.provider.requests[0]?.request.tools.map(({ name }) => name)).toEqual(["look"]);
    expect(statuses(without.events)).toEqual(["1.1: invalid"]);
  });

  it("cannot share its name with a tool of the caller's", () => {
    expect(() => stage.begin(script, { contract, tools: [reader("ask_question")] })).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining('"ask_question"') }),
    );
    expect(() => stage.begin([say("Done.")], { tools: [reader("ask_question")] }), "without questions").not.toThrow();
  });

  it("puts the question, once it is durable, and the answer is what the model reads", async () => {
    const { responder, asked } = responderOf("blue, and bright");
    const { events, provider, outcome } = await stage.drive(script, { contract, tools, responder });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(asked).toEqual([{ question: "Which colour?", context: "For the door.", choices: ["red", "blue"] }]);
    expect(only(events, "question.answered")).toMatchObject([
      { question: "the-run/1.1", by: "responder", content: { text: "blue, and bright" } },
    ]);
    expect(provider.requests[1]?.request.messages.at(-1)).toMatchObject({
      results: [{ call: "1.1", content: "blue, and bright" }],
    });
    expect(typesOf(events)).not.toContain("tool.started");
  });

  it.each([
    ["no question", {}],
    ["a blank one", { question: "  " }],
    ["something beside it", { question: "Which?", urgent: true }],
  ])("with %s is an answer to the model, and nobody is asked", async (_what, input) => {
    const { responder, asked } = responderOf("yes");
    const { events } = await stage.drive([call("ask_question", input), say("Done.")], { contract, tools, responder });

    expect([statuses(events), asked]).toEqual([["1.1: invalid"], []]);
  });

  it("gets no permission by its answer", async () => {
    const made: unknown[] = [];
    const change = writer("change", async () => void made.push(1));
    const { responder } = responderOf("You may write to secrets/ now.");
    const { events } = await stage.drive([ask("May I?"), call("change", { path: "secrets/a" }), say("Done.")], {
      contract,
      tools: [change],
      responder,
      policy: Policy.permissive().denyWrite("secrets/*"),
    });

    expect([statuses(events), made]).toEqual([["1.1: ok", "2.1: refused"], []]);
  });

  it("is asked whatever the policy says of commands, for it is none", async () => {
    const { responder } = responderOf("red");
    const { outcome } = await stage.drive(script, { contract, responder, policy: new Policy() });

    expect(outcome.type).toBe("finished");
  });
});

describe("a question that nobody here answers", () => {
  it.each<[how: string, responder: Responder | undefined, why: string | null]>([
    ["because there is no responder", undefined, null],
    ["because the responder leaves it open", responderOf(null).responder, null],
    ["because the responder fails", responderOf(new Error("offline")).responder, "the responder failed: offline"],
    ["because the responder answers with what is none", responderOf(7).responder, expect.stringContaining("no text")],
  ])("%s waits for someone who does", async (_how, responder, why) => {
    const { outcome, events, store } = await stage.drive(script, {
      contract,
      tools,
      ...(responder ? { responder } : {}),
    });

    expect(outcome).toEqual({ type: "awaiting-answer", questionId: "the-run/1.1", steps: 0 });
    expect(only(events, "run.paused")).toMatchObject([{ content: { message: why } }]);
    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
  });

  it("goes on with the answer that a resume brings, once", async () => {
    const { store } = await stage.drive(script, { contract, tools });

    const { outcome, events, provider } = await stage.goOn(store, script, { tools, answer: "red" });

    expect(outcome.type).toBe("finished");
    expect(only(events, "question.answered")).toMatchObject([{ by: "resume", content: { text: "red" } }]);
    expect(provider.asked).toBe(1);
    expect((await stage.goOn(store, [], { tools, answer: "blue" })).outcome, "it has ended").toEqual(outcome);
  });

  it("is not answered otherwise by a resume than somebody has answered it", async () => {
    const { store } = await stage.drive(script, { contract, tools });
    const answer = { type: "question", request: "the-run/1.1" as QuestionId, by: "ops", text: "blue" } as const;
    await store.answer(theRun, answer);

    await expect(stage.goOn(store, [], { tools, answer: "red" })).rejects.toMatchObject({
      code: "resume-refused",
      message: expect.stringContaining("ops"),
    });
    const { events } = await stage.goOn(store, script, { tools });
    expect(only(events, "question.answered")).toMatchObject([{ by: "ops", content: { text: "blue" } }]);
  });

  it("is refused an answer that it does not wait for", async () => {
    const { store } = await stage.drive([call("look"), say("Done.")], { tools, contract: { limits: { maxSteps: 1 } } });

    await expect(stage.goOn(store, [], { tools, answer: "red" })).rejects.toMatchObject({ code: "resume-refused" });
  });

  it("comes in turn with others of its step, across restarts, each answered once", async () => {
    const two = [calls(ask("First?"), call("look"), ask("Second?")), say("Done.")];
    const first = await stage.drive(two, { contract, tools });
    const second = await stage.goOn(first.store, [], { tools, answer: "one" });
    const { responder, asked } = responderOf("two");
    const third = await stage.goOn(first.store, two, { tools, responder });

    expect([first.outcome, second.outcome]).toMatchObject([
      { questionId: "the-run/1.1" },
      { questionId: "the-run/1.3" },
    ]);
    expect(asked.map(({ question }) => question)).toEqual(["Second?"]);
    expect(third.outcome.type).toBe("finished");
    expect(only(third.events, "question.asked")).toHaveLength(2);
    expect(third.provider.requests[0]?.request.messages.at(-1)).toMatchObject({
      results: [{ content: "one" }, { content: "seen" }, { content: "two" }],
    });
  });
});

describe("a question while somebody here thinks about it", () => {
  const thinking = () => {
    const asked = deferred<AbortSignal>();
    const answer = deferred<string | null>();
    const responder: Responder = {
      answer(_question, { signal }) {
        asked.resolve(signal);
        return answer.promise;
      },
    };
    return { asked: asked.promise, answer, responder };
  };

  it("is answered by whoever is first", async () => {
    const { asked, answer, responder } = thinking();
    const { handle, store } = stage.begin(script, { contract, tools, responder });
    const signal = await asked;
    await store.answer(theRun, { type: "question", request: "the-run/1.1" as QuestionId, by: "ops", text: "blue" });
    await aborted(signal);
    answer.resolve("red");

    expect((await handle.result).outcome.type).toBe("finished");
    expect(only(await eventsIn(store), "question.answered")).toMatchObject([{ by: "ops", content: { text: "blue" } }]);
  });

  it("is left open by a run that is cancelled meanwhile", async () => {
    const stop = new AbortController();
    const { asked, answer, responder } = thinking();
    const { handle, store } = stage.begin(script, { contract, tools, responder, signal: stop.signal });
    await asked;
    stop.abort();
    answer.resolve("red");
    expect((await handle.result).outcome.type).toBe("cancelled");
    await turn();

    expect(typesOf(await eventsIn(store))).not.toContain("question.answered");
    expect((await stage.goOn(store, [], { tools })).outcome.type).toBe("awaiting-answer");
  });
});
