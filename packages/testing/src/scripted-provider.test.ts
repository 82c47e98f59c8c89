import { type CompletionRequest, type Delta, type Message, ProviderError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { call, calls, fail, hang, say, scriptedProvider, stream } from "./index.js";

const idle = new AbortController().signal;

/** A request that already holds `answers` answers. */
function requestWith(answers: number, more: Partial<CompletionRequest> = {}): CompletionRequest {
  const turn: readonly Message[] = [
    { role: "assistant", text: "an answer", calls: [] },
    { role: "results", results: [] },
  ];
  const messages: readonly Message[] = [
    { role: "user", text: "the goal" },
    ...Array.from({ length: answers }, () => turn).flat(),
  ];
  return { system: "", messages, tools: [], ...more };
}

describe("scriptedProvider", () => {
  it("gives the reply that follows the answers in the transcript, in whatever order it is asked", async () => {
    const provider = scriptedProvider([say("one"), say("two"), say("three")]);

    const texts = [];
    for (const answers of [2, 0, 1]) {
      texts.push((await provider.complete(requestWith(answers), { signal: idle })).text);
    }

    expect(texts).toEqual(["three", "one", "two"]);
  });

  it("completes a reply with defaults that a budget can be tested with", async () => {
    const provider = scriptedProvider([call("read_file", { path: "a.ts" })]);

    expect(await provider.complete(requestWith(0), { signal: idle })).toEqual({
      text: null,
      calls: [{ name: "read_file", arguments: { path: "a.ts" } }],
      reasoning: null,
      usage: {
        promptTokens: 10,
        completionTokens: 5,
        totalTokens: 15,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
      model: "scripted-model",
      stop: "tool-calls",
      finishReason: null,
      ttftMs: null,
    });
  });

  it("keeps what a reply says of itself", async () => {
    const bad = { name: "exec", arguments: null, invalidArguments: "{", vendorId: "call_1" };
    const provider = scriptedProvider(
      [
        { text: "cut", stop: "length", usage: { completionTokens: 90 }, calls: [bad] },
        { ...say("free"), usage: null },
      ],
      { usage: { promptTokens: 7 }, model: "small" },
    );

    const first = await provider.complete(requestWith(0, { model: "large" }), { signal: idle });
    const second = await provider.complete(requestWith(1), { signal: idle });

    expect(first).toMatchObject({ stop: "length", model: "large", calls: [bad], usage: { totalTokens: 97 } });
    expect(second).toMatchObject({ usage: null, model: "small" });
  });

  it("joins words and several calls in one answer", async () => {
    const provider = scriptedProvider([say("Two at once.", call("a"), calls(call("b"), call("c", { deep: [1] })))]);

    const { text, calls: made } = await provider.complete(requestWith(0), { signal: idle });

    expect(text).toBe("Two at once.");
    expect(made).toEqual([
      { name: "a", arguments: {} },
      { name: "b", arguments: {} },
      { name: "c", arguments: { deep: [1] } },
    ]);
  });

  it("hands a reply function the request and its place in the script", async () => {
    const provider = scriptedProvider([
      say("one"),
      (request, { turn, attempt }) => say(`${request.messages.length} ${turn}.${attempt}`),
    ]);

    expect((await provider.complete(requestWith(1), { signal: idle })).text).toBe("3 2.1");
    expect((await provider.complete(requestWith(1), { signal: idle })).text).toBe("3 2.2");
  });

  it("plays the attempts of a list one after another, and the last from then on", async () => {
    const provider = scriptedProvider([[fail("server", { retryAfterMs: 5 }), fail("timeout"), say("there")]]);
    const ask = () => provider.complete(requestWith(0), { signal: idle }).catch((error: ProviderError) => error);

    expect(await ask()).toMatchObject({ kind: "server", isRetryable: true, retryAfterMs: 5, provider: "scripted" });
    expect(await ask()).toMatchObject({ kind: "timeout" });
    expect(await ask()).toMatchObject({ text: "there" });
    expect(await ask()).toMatchObject({ text: "there" });
    expect(provider.attempts(1)).toBe(4);
    provider.assertDone();
  });

  it("rejects with the very error it was given, whatever it is", async () => {
    const error = new Error("not a provider's error at all");
    const provider = scriptedProvider([fail(error)]);

    await expect(provider.complete(requestWith(0), { signal: idle })).rejects.toBe(error);
  });

  it("throws synchronously when a reply does", () => {
    const provider = scriptedProvider([
      () => {
        throw new TypeError("at once");
      },
    ]);

    expect(() => provider.complete(requestWith(0), { signal: idle })).toThrow("at once");
  });

  it("streams text that concatenates to the answer", async () => {
    const deltas: Delta[] = [];
    const provider = scriptedProvider([stream("Hel", "lo")]);

    const { text } = await provider.complete(requestWith(0), { signal: idle, onDelta: (delta) => deltas.push(delta) });

    expect(text).toBe("Hello");
    expect(deltas).toEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ]);
  });

  it("streams a part before it fails", async () => {
    const deltas: Delta[] = [];
    const provider = scriptedProvider([fail("transport", { after: ["half a sen"], message: "the line went dead" })]);

    const answer = provider.complete(requestWith(0), { signal: idle, onDelta: (delta) => deltas.push(delta) });

    await expect(answer).rejects.toThrow("the line went dead");
    expect(deltas).toEqual([{ type: "text", text: "half a sen" }]);
  });

  it.each([
    ["hanging", hang()],
    ["hanging after a part of the answer", hang("wait for it")],
    ["streaming", stream("a", "b")],
    ["about to fail", fail("server", { after: ["a"] })],
  ])("rejects as cancelled when aborted while %s", async (_while, reply) => {
    const stop = new AbortController();
    const provider = scriptedProvider([reply]);

    const answer = provider.complete(requestWith(0), { signal: stop.signal });
    stop.abort("enough");

    await expect(answer).rejects.toMatchObject({ kind: "cancelled", isRetryable: false, cause: "enough" });
  });

  it("is cancelled at once by a signal that fired before", async () => {
    const provider = scriptedProvider([hang()]);

    const answer = provider.complete(requestWith(0), { signal: AbortSignal.abort("before") });

    await expect(answer).rejects.toMatchObject({ kind: "cancelled", cause: "before" });
  });

  it("complains of a completion that nobody scripted, and says so again at the end", async () => {
    const provider = scriptedProvider([say("only one")], { name: "double" });
    await provider.complete(requestWith(0), { signal: idle });

    const error = await provider.complete(requestWith(1), { signal: idle }).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind: "request", isRetryable: false, provider: "double" });
    expect((error as Error).message).toMatch("Reply 2 was asked for, and the script holds 1");
    expect(() => provider.assertDone()).toThrow("Reply 2 was asked for");
  });

  it("names the replies and attempts that nobody took", async () => {
    const provider = scriptedProvider([say("one"), [fail("server"), say("two")], say("three")]);
    await provider.complete(requestWith(0), { signal: idle });
    await provider.complete(requestWith(1), { signal: idle }).catch(() => {});

    expect(provider.unused()).toEqual(["attempt 2 of reply 2", "reply 3"]);
    expect(() => provider.assertDone()).toThrow("Nobody took attempt 2 of reply 2.\nNobody took reply 3.");
  });

  it("takes for granted that another process took what the transcript holds", async () => {
    const provider = scriptedProvider([say("one"), [fail("server"), say("two")], say("three")]);

    await provider.complete(requestWith(2), { signal: idle });

    expect(provider.unused()).toEqual([]);
    provider.assertDone();
  });

  it("goes on for ever with `rest`", async () => {
    const provider = scriptedProvider([say("one")], { rest: (_request, { turn }) => call("look", { turn }) });

    await provider.complete(requestWith(0), { signal: idle });
    const { calls: made } = await provider.complete(requestWith(8), { signal: idle });

    expect(made).toEqual([{ name: "look", arguments: { turn: 9 } }]);
    provider.assertDone();
  });

  it("keeps a copy of each request, which later changes to its lists do not reach", async () => {
    const messages: Message[] = [{ role: "user", text: "the goal" }];
    const provider = scriptedProvider([say("one")]);

    await provider.complete({ system: "be brief", messages, tools: [] }, { signal: idle });
    messages.push({ role: "assistant", text: "one", calls: [] });

    const request = { system: "be brief", messages: [{ role: "user", text: "the goal" }], tools: [] };
    expect(provider.requests).toEqual([{ turn: 1, attempt: 1, request }]);
    expect(provider.asked).toBe(1);
  });

  it("answers calls that run side by side", async () => {
    const provider = scriptedProvider([[fail("server"), say("second")]]);

    const [first, second] = await Promise.allSettled([
      provider.complete(requestWith(0), { signal: idle }),
      provider.complete(requestWith(0), { signal: idle }),
    ]);

    expect(first).toMatchObject({ status: "rejected" });
    expect(second).toMatchObject({ status: "fulfilled", value: { text: "second" } });
  });
});

describe("scriptedProvider by call", () => {
  const unreadable = {
    system: "",
    tools: [],
    get messages(): never {
      throw new Error("the history was read");
    },
  };

  it("counts calls, takes attempts in turn, and never reads the history", async () => {
    const provider = scriptedProvider([say("one"), [fail("server"), say("two")]], { byCall: true, rest: say("more") });
    const ask = () => provider.complete(unreadable, { signal: idle });

    expect(await ask()).toMatchObject({ text: "one" });
    expect(provider.unused()).toEqual(["reply 2", "reply 3"]);
    await expect(ask()).rejects.toMatchObject({ kind: "server" });
    expect(await ask()).toMatchObject({ text: "two" });
    expect(await ask()).toMatchObject({ text: "more" });
    expect([provider.asked, provider.attempts(4), provider.attempts(5), provider.requests.length]).toEqual([
      4, 1, 0, 0,
    ]);
    provider.assertDone();
  });
});
