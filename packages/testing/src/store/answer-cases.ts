// Promises of `answer` and `answers`: the inbox that any process may put something into.
import { type Answer, callId, type QuestionId, qualified, type RequestId, type RunId, runId } from "@harness/spec";
import { expect } from "vitest";
import { collect } from "./observe.js";
import { drive, recordOf } from "./stream.js";
import type { Case } from "./subject.js";

export function approval(run: RunId, index: number, by = "ops"): Answer {
  return {
    type: "approval",
    request: qualified<RequestId>(run, callId(1, index)),
    by,
    decision: {
      type: "approve",
      input: { path: "src/ü 👍.ts" },
      remember: [{ act: "write", effect: "allow", pattern: "src/*" }],
    },
  };
}

function reply(run: RunId, index: number): Answer {
  return { type: "question", request: qualified<QuestionId>(run, callId(1, index)), by: "ops", text: "yes\u2028no" };
}

export const answerCases: Readonly<Record<string, Case>> = {
  "takes the first answer to a request and no later one": async ({ store }) => {
    const { run } = await drive(store);

    expect(await store.answer(run, approval(run, 1, "first"))).toBe(true);
    expect(await store.answer(run, approval(run, 1, "second"))).toBe(false);
    expect(await store.answer(run, approval(run, 1, "first"))).toBe(false);

    expect(await collect(store.answers(run))).toEqual([approval(run, 1, "first")]);
  },

  "takes one of many answers that come at once": async ({ store }) => {
    const { run } = await drive(store);
    const rivals = Array.from({ length: 20 }, (_, index) => approval(run, 1, `person ${index}`));

    const taken = await Promise.all(rivals.map((answer) => store.answer(run, answer)));

    expect(taken.filter(Boolean)).toEqual([true]);
    expect(await collect(store.answers(run))).toEqual([rivals[taken.indexOf(true)]]);
  },

  "yields them in the order they were given": async ({ store }) => {
    const { run } = await drive(store);
    const given = [reply(run, 3), approval(run, 1), reply(run, 2)];

    for (const answer of given) await store.answer(run, answer);

    expect(await collect(store.answers(run))).toEqual(given);
  },

  "needs no lease": async ({ store }) => {
    const record = recordOf("run-1");
    await store.create(record);

    expect(await store.answer(record.id, approval(record.id, 1))).toBe(true);
  },

  "keeps the answers of runs apart": async ({ store }) => {
    const one = await drive(store, "run-1");
    const two = await drive(store, "run-2");

    expect(await store.answer(one.run, approval(one.run, 1))).toBe(true);
    expect(await collect(store.answers(two.run))).toEqual([]);
    expect(await store.answer(two.run, approval(one.run, 1))).toBe(true);
    expect(await collect(store.answers(two.run))).toHaveLength(1);
  },

  "yields nothing for a run without answers, and for an unknown one": async ({ store }) => {
    const { run } = await drive(store);

    expect(await collect(store.answers(run))).toEqual([]);
    expect(await collect(store.answers(runId("run-unknown")))).toEqual([]);
  },
};
