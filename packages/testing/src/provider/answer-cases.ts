// Promises about good answers: what the vendor said is what the completion holds, however it was delivered.
import type { Completion } from "@harness/spec";
import { expect } from "vitest";
import { watcher } from "./observe.js";
import type { Cases, Subject } from "./subject.js";
import { answeringModel } from "./wires/wire.js";

const hello = ["Hel", "lo, ", "you."];
const read = { id: "call_read", name: "read_file", input: '{"path":"src/{a}.ts","limit":20}' };
const list = { id: "call_list", name: "list_dir", input: '{"path":"docs"}' };
const tools = ["read_file", "list_dir"].map((name) => ({ name, description: name, parameters: { type: "object" } }));

function counted(prompt: number, completion: number) {
  return { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion };
}

async function called({ speak, ask }: Subject, ...inputs: readonly string[]): Promise<Completion["calls"]> {
  speak({ calls: inputs.map((input, index) => ({ id: `call_${index}`, name: "read_file", input })) });
  return (await ask({ tools })).calls;
}

export const answerCases: Cases = {
  "gives the text, and deltas that make up exactly the text": async ({ speak, ask }) => {
    const { onDelta, text } = watcher();
    speak({ text: hello });
    const completion = await ask({}, { onDelta });

    expect(completion).toMatchObject({ text: "Hello, you.", calls: [], reasoning: null, stop: "end" });
    expect(text()).toBe("Hello, you.");
  },

  "needs nobody who watches": async ({ speak, ask }) => {
    speak({ text: hello });

    expect(await ask()).toMatchObject({ text: "Hello, you." });
  },

  "gives a call with its name, its arguments and the vendor's id": async ({ speak, ask }) => {
    speak({ calls: [read] });
    const { text, calls, stop } = await ask({ tools });

    expect({ text, calls, stop }).toEqual({
      text: null,
      stop: "tool-calls",
      calls: [{ name: "read_file", arguments: { path: "src/{a}.ts", limit: 20 }, vendorId: "call_read" }],
    });
  },

  "gives parallel calls in the order in which the model made them": async ({ speak, ask }) => {
    speak({ text: ["Reading both."], calls: [read, list] });
    const { text, calls } = await ask({ tools });

    expect(text).toBe("Reading both.");
    expect(calls.map(({ name }) => name)).toEqual(["read_file", "list_dir"]);
    expect(calls[1]?.arguments).toEqual({ path: "docs" });
  },

  "takes a call without arguments for one with an empty object": async (subject) => {
    expect(await called(subject, "", "{}", " {} ")).toMatchObject([
      { arguments: {} },
      { arguments: {} },
      { arguments: {} },
    ]);
  },

  "keeps what the model wrote when it is no object": async (subject) => {
    const calls = await called(subject, '{"path": ', "[1, 2]");

    expect(calls.map((call) => call.arguments)).toEqual([null, null]);
    expect(calls.map((call) => call.invalidArguments?.trim())).toEqual(['{"path":', "[1, 2]"]);
  },

  "says that an answer was cut short, and gives no arguments for the call it cut": async ({ speak, ask }) => {
    speak({ calls: [{ ...read, input: '{"path":"src/a' }], stop: "length" });
    const { stop, calls } = await ask({ tools });

    expect(stop).toBe("length");
    expect(calls.every((call) => call.arguments === null)).toBe(true);
  },

  "keeps the vendor's word for why it stopped": async ({ speak, ask }) => {
    speak({ text: hello });

    expect((await ask()).finishReason).toMatch(/^[a-z_]+$/);
  },

  "counts tokens as the vendor did": async ({ speak, ask }) => {
    speak({ text: hello, usage: { prompt: 1_234, completion: 56 } });

    expect((await ask()).usage).toMatchObject({ ...counted(1_234, 56), cacheReadTokens: 0, reasoningTokens: 0 });
  },

  "names the model that answered, not the one that was asked": async ({ speak, ask }) => {
    speak({ text: hello, model: "model-of-another-name" });

    expect((await ask()).model).toBe("model-of-another-name");
  },

  "measures the time to the first content, or says that it did not": async ({ speak, ask }) => {
    speak({ text: hello });
    const { ttftMs } = await ask();

    expect(ttftMs === null || (Number.isFinite(ttftMs) && ttftMs >= 0)).toBe(true);
  },

  "takes an answer that is one JSON body, although a stream was asked for": async ({ vendor, wire, ask }) => {
    const body = wire.body({ text: hello, calls: [read], usage: { prompt: 5, completion: 6 } });
    const { onDelta, text } = watcher();
    vendor.answer({ type: "body", body });
    const completion = await ask({ tools }, { onDelta });

    expect(completion).toMatchObject({ text: "Hello, you.", stop: "tool-calls", model: answeringModel });
    expect(completion.calls).toMatchObject([{ name: "read_file", arguments: { path: "src/{a}.ts", limit: 20 } }]);
    expect(completion.usage).toMatchObject(counted(5, 6));
    expect(text()).toBe("Hello, you.");
  },

  "answers again with what was said again: nothing is left of the call before": async ({ speak, ask }) => {
    speak({ text: ["One."], calls: [read] });
    await ask({ tools });
    speak({ text: ["Two."] });

    expect(await ask({ tools })).toMatchObject({ text: "Two.", calls: [] });
  },
};
