import { describe, expect, it } from "vitest";
import { presets } from "../compatible/presets.js";
import { callOf, context, readFile, requestOf, resultsOf, sentMessages, user } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";
import type { Quirks } from "./quirks.js";

const asked = [
  user("Read."),
  { role: "assistant", text: null, calls: [callOf("1.0", "read_file", { path: "a" }, "vendor-id-that-is-long")] },
  resultsOf(["1.0", "A"]),
] as const;

function bodyOf(quirks: Quirks, request = {}) {
  return chatWire({ quirks }).encode(requestOf(request), context);
}

describe("quirks", () => {
  it("name the field for the limit on output", () => {
    expect(bodyOf({ maxTokensField: "max_completion_tokens" }, { maxOutputTokens: 7 })).toMatchObject({
      max_completion_tokens: 7,
    });
  });

  it("leave out the wish for counts", () => {
    expect(bodyOf({ streamUsage: false })).not.toHaveProperty("stream_options");
  });

  it("send an empty list of tools with a conversation that has calls, where one is wanted", () => {
    expect(bodyOf({ toolsWithHistory: true }, { messages: asked })).toMatchObject({ tools: [] });
    expect(bodyOf({ toolsWithHistory: true })).not.toHaveProperty("tools");
    expect(bodyOf({}, { messages: asked })).not.toHaveProperty("tools");
  });

  it("join user messages that follow each other", () => {
    const image = { mediaType: "image/png", base64: "AAAA" } as const;
    const messages = [user("One."), { role: "user", text: "Two.", images: [image] } as const, ...asked];

    expect(sentMessages(messages, { mergeUsers: true })).toMatchObject([
      { role: "user", content: [{ text: "One.\n\nTwo.\n\nRead." }, { type: "image_url" }] },
      { role: "assistant" },
      { role: "tool" },
    ]);
  });

  it("give the strictest vendor ids of nine characters, no null, and an assistant before the user", () => {
    const data = { extra_content: [{ signed: true }] };
    const [first, calling, results] = asked;
    const messages = [first, { ...calling, continuation: { ...context, data } }, results, user("Go on.")];

    expect(sentMessages(messages, presets.mistral.quirks)).toEqual([
      { role: "user", content: "Read." },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: "t00010000",
            type: "function",
            extra_content: { signed: true },
            function: { name: "read_file", arguments: '{"path":"a"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "t00010000", content: "A" },
      { role: "assistant", content: expect.any(String) },
      { role: "user", content: "Go on." },
    ]);
  });

  it.each<[string, Quirks, object]>([
    ["tools", { tools: false }, { tools: [readFile] }],
    [
      "images",
      { images: false },
      { messages: [{ role: "user", text: "", images: [{ mediaType: "image/png", base64: "AAAA" }] }] },
    ],
  ])("refuse %s, with nothing sent, where there is no such ability", (_what, quirks, request) => {
    expect(() => bodyOf(quirks, request)).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining("Nothing was sent") }),
    );
  });
});

describe("marks for a vendor's cache", () => {
  const marks = { cacheMarks: true } as const;
  const ephemeral = { cache_control: { type: "ephemeral" } };

  it("end the system text and the last user message of the stable part", () => {
    const image = { mediaType: "image/png", base64: "AAAA" } as const;
    const messages = [{ role: "user", text: "One.", images: [image] } as const, ...asked.slice(1), user("New.")];

    expect(bodyOf(marks, { messages, cacheThrough: 3 }).messages).toMatchObject([
      { role: "system", content: [{ type: "text", text: "Be brief.", ...ephemeral }] },
      { role: "user", content: [{ type: "text", text: "One.", ...ephemeral }, { type: "image_url" }] },
      { role: "assistant" },
      { role: "tool" },
      { role: "user", content: "New." },
    ]);
  });

  it.each([undefined, 0, -1, 2, Number.NaN])(
    "are not there for a stable part of %s messages of one",
    (cacheThrough) => {
      expect(bodyOf(marks, { cacheThrough })).toEqual(bodyOf(marks));
      expect(JSON.stringify(bodyOf(marks, { cacheThrough }))).not.toContain("cache_control");
    },
  );

  it("are not there for a vendor that caches unasked", () => {
    expect(bodyOf({}, { cacheThrough: 1 })).toEqual(bodyOf({}));
  });
});
