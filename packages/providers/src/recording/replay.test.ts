import { readFileSync, writeFileSync } from "node:fs";
import type { CompletionRequest } from "@harness/spec";
import { say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { record } from "./record.js";
import { ask, asking, called, freshPath, user } from "./recording.test-support.js";
import { replay } from "./replay.js";
import { withoutContinuation } from "./request-parts.js";

const environment = {};

/** A recording of these questions and answers, by a provider named `a`. */
async function recording(...exchanges: readonly (readonly [CompletionRequest, string])[]): Promise<string> {
  const path = freshPath();
  const script = exchanges.map(([, answer]) => say(answer));
  const provider = record(scriptedProvider(script, { name: "a", model: "m", byCall: true }), { path, environment });
  for (const [request] of exchanges) await ask(provider, request);
  return path;
}

const one = asking(user("One?"));
const two = asking(user("Two?"));

describe("a replay", () => {
  it("is named for what it replays, and dials nothing", async () => {
    const path = await recording([one, "One."]);
    const { name, model, endpoints, acceptsImages } = replay({ path });
    expect({ name, model, endpoints, acceptsImages }).toEqual({
      ...{ name: "a", model: "m", endpoints: [], acceptsImages: true },
    });
    expect(replay({ path, name: "tape" }).name).toBe("tape");
  });

  it("answers what was asked, with its text in one piece", async () => {
    const replayed = replay({ path: await recording([one, "One."], [two, "Two."]), environment });
    expect(await ask(replayed, two)).toMatchObject({
      completion: { text: "Two.", model: "m" },
      deltas: [{ type: "text", text: "Two." }],
    });
    expect((await ask(replayed, one)).completion).toMatchObject({ text: "One." });
  });

  it("gives a question that is repeated at once its answer again, and later the next one", async () => {
    const replayed = replay({ path: await recording([one, "1a"], [two, "2"], [one, "1b"]), environment });
    const texts: unknown[] = [];
    for (const request of [one, one, two, one, one, two, one])
      texts.push((await ask(replayed, request)).completion?.text);
    expect(texts).toEqual(["1a", "1a", "2", "1b", "1b", "2", "1b"]);
  });

  it("gives the answer that the recorded run went on with when it lost one and asked again", async () => {
    const replayed = replay({ path: await recording([one, "lost"], [one, "kept"]), environment });
    expect((await ask(replayed, one)).completion).toMatchObject({ text: "kept" });
  });

  it("knows a question by all but its continuations and the order of its keys", async () => {
    const asked = asking(user("Fix it."), ...called("a.ts"));
    const replayed = replay({ path: await recording([asked, "Yes."]), environment });
    const bare = asked.messages.map(withoutContinuation);
    const { system, ...rest } = asked;
    expect((await ask(replayed, { ...rest, messages: bare, system })).completion).toMatchObject({ text: "Yes." });
  });

  it("is cancelled like any other", async () => {
    const replayed = replay({ path: await recording([one, "One."]), environment });
    const asked = replayed.complete(one, { signal: AbortSignal.abort("stop") });
    await expect(asked).rejects.toMatchObject({ kind: "cancelled", cause: "stop" });
  });
});

describe("a request that was not recorded", () => {
  const recorded = asking(user("Fix it."), ...called("line 1\nline 2"));
  const [question, call, result] = recorded.messages;
  const driftOf = async (request: CompletionRequest) => {
    const path = await recording([one, "One."], [asking(user("Fix it.")), "I look."], [recorded, "Done."]);
    const { error, deltas } = await ask(replay({ path, environment }), request);
    expect(error).toMatchObject({ code: "provider-failed", kind: "request", isRetryable: false, provider: "a" });
    expect(deltas).toEqual([]);
    return (error as Error).message;
  };

  it("is named with its first difference from the one that is most like it", async () => {
    const message = await driftOf(asking(user("Fix it."), ...called("line 1\nline two")));
    expect(message).toContain('3 messages, 1 tools; what the user said last begins "Fix it."');
    expect(message).toContain("request 3 of the 3 that were recorded, at messages[2].results[0].content");
    expect(message).toContain('recorded is "line 1\\nline 2", asked is "line 1\\nline two"');
  });

  it.each([
    ["system", { system: "Be long." }, 'recorded is "Be brief.", asked is "Be long."'],
    [
      "tools[0].description",
      { tools: [{ name: "read", description: "R.", parameters: { type: "object" } }] },
      "Reads.",
    ],
    ["effort", { effort: "high" }, 'recorded is nothing, asked is "high"'],
    ["cacheThrough", { cacheThrough: 1 }, "recorded is 2, asked is 1"],
    ["messages[1].calls[0].arguments.path", { messages: [question, otherPath(), result] }, "b.ts"],
    ["messages[3]", { messages: [question, call, result, user("And?")] }, "recorded is nothing"],
  ])("is told apart at %s", async (where, more, what) => {
    const message = await driftOf({ ...recorded, ...more } as CompletionRequest);
    expect(message).toContain(`at ${where}: `);
    expect(message).toContain(what);
  });

  function otherPath() {
    return { ...call, calls: [{ id: "1.0", name: "read", arguments: { path: "b.ts" }, vendorId: "call_1" }] };
  }

  it("is excerpted around the place when the texts are long", async () => {
    const long = "x".repeat(5_000);
    const path = await recording([asking(user(`${long}a`)), "Yes."]);
    const { error } = await ask(replay({ path, environment }), asking(user(`${long}b`)));
    expect((error as Error).message).toContain(`recorded is "…${"x".repeat(20)}a", asked is "…${"x".repeat(20)}b"`);
    expect((error as Error).message.length).toBeLessThan(700);
  });

  it("does not change which answer comes next", async () => {
    const replayed = replay({ path: await recording([one, "1a"], [two, "2"], [one, "1b"]), environment });
    const texts: unknown[] = [];
    for (const request of [one, recorded, one, two, recorded, one])
      texts.push((await ask(replayed, request)).completion?.text);
    expect(texts).toEqual(["1a", undefined, "1a", "2", undefined, "1b"]);
  });
});

describe("a recording that cannot be replayed", () => {
  const opening = async (change: (text: string) => string) => {
    const path = await recording([one, "One."]);
    writeFileSync(path, change(readFileSync(path, "utf8")));
    return () => replay({ path });
  };

  it.each([
    ["another version", (text: string) => text.replace('"recording":1', '"recording":2'), /version 2.*reads version 1/],
    ["no recording", () => "{}\n", /line 1: it does not say that this is a recording/],
    ["empty", () => "", /line 1/],
    ["damaged", (text: string) => text.replace('{"part":1', '{"part'), /line 3: it is no JSON/],
    ["without a part", (text: string) => text.replace(/\{"part":2.*\n/, ""), /line 4: it names part 2/],
    ["out of order", (text: string) => text.replace('"part":1', '"part":7'), /line 3: its parts are not in order/],
    ["with something else in it", (text: string) => `${text}{"note":1}\n`, /line 6: it is neither/],
  ])("is refused: %s", async (_what, change, message) => {
    const open = await opening(change);
    expect(open).toThrow(message);
    expect(open).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });

  it("is refused when it is not there", () => {
    expect(() => replay({ path: "/nowhere/run.jsonl" })).toThrow(
      /There is no recording at \/nowhere\/run.jsonl. Record/,
    );
  });

  it("replays up to where its process died", async () => {
    const open = await opening((text) => `${text}{"request":{"system`);
    expect((await ask(open(), one)).completion).toMatchObject({ text: "One." });
  });
});
