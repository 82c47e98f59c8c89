import { type CallId, type CompletionRequest, callId, type Message, type ToolCall } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { mintedId } from "./call-ids.js";
import { turnsOf } from "./transcript.js";

const context = { provider: "anthropic", model: "claude-sonnet-4-5" };
const call = (id: CallId, more: Partial<ToolCall> = {}): ToolCall => ({ id, name: "read", arguments: {}, ...more });
const first = callId(1, 1);
const second = callId(1, 2);

function turns(messages: readonly Message[], more: Partial<CompletionRequest> = {}) {
  return turnsOf({ system: "", tools: [], messages, ...more }, context);
}

/** One turn that calls, and what comes back. */
function exchange(calls: readonly ToolCall[], results: Extract<Message, { role: "results" }>["results"]): Message[] {
  return [
    { role: "user", text: "Go." },
    { role: "assistant", text: null, calls },
    { role: "results", results },
  ];
}

describe("turnsOf", () => {
  it("names calls by where they stand and puts results into their order", () => {
    const calls = [call(first, { arguments: { path: "a" } }), call(second, { name: "list" })];
    const results = [
      { call: second, content: "b", isError: true },
      { call: first, content: "a" },
    ];

    expect(turns(exchange(calls, results))).toEqual([
      { type: "user", index: 0, text: "Go.", images: [] },
      {
        type: "assistant",
        index: 1,
        text: null,
        calls: [
          { id: "t00010000", name: "read", arguments: { path: "a" }, call: calls[0] },
          { id: "t00010001", name: "list", arguments: {}, call: calls[1] },
        ],
      },
      {
        type: "results",
        index: 2,
        results: [
          { id: "t00010000", name: "read", content: "a", isError: false },
          { id: "t00010001", name: "list", content: "b", isError: true },
        ],
      },
    ]);
  });

  it.each<[string, Message[], RegExp]>([
    [
      "a call without a result",
      exchange([call(first), call(second)], [{ call: first, content: "" }]),
      /1\.2.*no result/,
    ],
    ["calls in the last message", exchange([call(first)], []).slice(0, 2), /1\.1.*no result/],
    [
      "results that come too late",
      [
        ...exchange([call(first)], []).slice(0, 2),
        { role: "user", text: "And?" },
        { role: "results", results: [{ call: first, content: "" }] },
      ],
      /1\.1.*no result/,
    ],
    [
      "two results for one call",
      exchange(
        [call(first)],
        [first, first].map((id) => ({ call: id, content: "" })),
      ),
      /1\.1.*2 results/,
    ],
    ["a call that is there twice", exchange([call(first), call(first)], [{ call: first, content: "" }]), /1\.1.*twice/],
    [
      "a result of another turn",
      exchange(
        [call(first)],
        [first, second].map((id) => ({ call: id, content: "" })),
      ),
      /1\.2/,
    ],
    ["results without calls before them", [{ role: "results", results: [{ call: first, content: "" }] }], /1\.1/],
  ])("refuses %s, and says that nothing was sent", (_, messages, problem) => {
    expect(() => turns(messages)).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(() => turns(messages)).toThrow(problem);
    expect(() => turns(messages)).toThrow(/Nothing was sent/);
  });

  it("leaves out messages that have nothing to say, and counts them", () => {
    const messages: Message[] = [
      { role: "user", text: " \n" },
      { role: "user", text: "Go." },
      { role: "assistant", text: "  ", calls: [] },
      { role: "results", results: [] },
      { role: "user", text: "Again." },
    ];

    expect(turns(messages).map(({ index }) => index)).toEqual([1, 4]);
  });

  it("says of an empty result that there was none", () => {
    const [, , results] = turns(exchange([call(first)], [{ call: first, content: "\n" }]));

    expect(results).toMatchObject({ results: [{ content: "(no output)" }] });
  });

  it("replaces halves of characters in texts, results and arguments", () => {
    const half = "a\uD800";
    const messages: Message[] = [
      { role: "user", text: half },
      { role: "assistant", text: half, calls: [call(first, { arguments: { [half]: [half] } })] },
      { role: "results", results: [{ call: first, content: half }] },
    ];

    expect(turns(messages)).toMatchObject([
      { text: "a\uFFFD" },
      { text: "a\uFFFD", calls: [{ arguments: { "a\uFFFD": ["a\uFFFD"] } }] },
      { results: [{ content: "a\uFFFD" }] },
    ]);
  });

  it("sends an empty object for arguments that were none", () => {
    const messages = exchange(
      [call(first, { arguments: null, invalidArguments: "{" })],
      [{ call: first, content: "no" }],
    );

    expect(turns(messages)[1]).toMatchObject({ calls: [{ arguments: {} }] });
  });

  it("sends a turn that calls a tool which is not offered any more, under its name", () => {
    const messages = exchange([call(first, { name: "gone" })], [{ call: first, content: "" }]);

    expect(turns(messages)[1]).toMatchObject({ calls: [{ name: "gone" }] });
  });
});

describe("a continuation", () => {
  const calls = [call(first, { vendorId: "toolu_1" }), call(second, { vendorId: "toolu_1" })];
  const results = [first, second].map((id) => ({ call: id, content: "x" }));
  const signed = (provider: string, model: string) =>
    exchange(calls, results).map((message) =>
      message.role === "assistant"
        ? { ...message, continuation: { provider, model, data: { signed: true } } }
        : message,
    );

  it("goes back to the model that made it, with the ids that it knows", () => {
    const [, turn, answer] = turns(signed("anthropic", "claude-sonnet-4-5"));

    expect(turn).toMatchObject({ continuation: { signed: true }, calls: [{ id: "toolu_1" }, { id: mintedId(1, 1) }] });
    expect(answer).toMatchObject({ results: [{ id: "toolu_1" }, { id: mintedId(1, 1) }] });
  });

  it.each([
    ["another provider", "openai", "claude-sonnet-4-5"],
    ["another model", "anthropic", "claude-opus-4-5"],
  ])("of %s is left out, and the ids with it", (_, provider, model) => {
    const [, turn] = turns(signed(provider, model));

    expect(turn).not.toHaveProperty("continuation");
    expect(turn).toMatchObject({ calls: [{ id: mintedId(1, 0) }, { id: mintedId(1, 1) }] });
  });
});

describe("images", () => {
  const withImage = (mediaType: string, base64: string): Message[] => [
    { role: "user", text: "", images: [{ mediaType: mediaType as "image/png", base64 }] },
  ];

  it("make a message of their own", () => {
    expect(turns(withImage("image/png", "AAAA"))).toMatchObject([{ text: "", images: [{ base64: "AAAA" }] }]);
  });

  it.each([
    ["of a kind that vendors do not read", withImage("image/tiff", "AAAA"), /convert it/],
    ["with a prefix", withImage("image/png", "data:image/png;base64,AAAA"), /plain base64/],
    ["with line breaks", withImage("image/png", "AAAA\nAAAA"), /plain base64/],
    ["above 5 MiB", withImage("image/png", "A".repeat(7 * 1024 * 1024)), /scale it down/],
    [
      "above 20 MiB together",
      Array.from({ length: 5 }, () => withImage("image/png", "A".repeat(6 * 1024 * 1024))).flat(),
      /together/,
    ],
  ])("%s are refused", (_, messages, problem) => {
    expect(() => turns(messages)).toThrow(problem);
  });
});
