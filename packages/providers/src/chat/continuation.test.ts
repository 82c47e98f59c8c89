import type { Continuation, JsonObject, Message } from "@harness/spec";
import { describe, expect, it } from "vitest";
import {
  callOf,
  chunk,
  context,
  decoded,
  finished,
  fragments,
  resultsOf,
  sentMessages,
  user,
} from "./chat.test-support.js";
import type { Quirks } from "./quirks.js";

const details: Quirks = { reasoningReplay: "details" };
const toolTurns: Quirks = { reasoningReplay: "tool-turns" };
const call = fragments({ index: 0, id: "vendor-1", function: { name: "read_file", arguments: '{"path":"a"}' } });

/** A conversation in which the model thought, called and got its result. */
function turn(continuation: Continuation | undefined): readonly Message[] {
  return [
    user("Read."),
    {
      role: "assistant",
      text: null,
      calls: [callOf("1.0", "read_file", { path: "a" }, "vendor-1")],
      ...(continuation ? { continuation } : {}),
    },
    resultsOf(["1.0", "A"]),
  ];
}

/** The assistant message and the tool message that are sent of it. */
function replayed(continuation: Continuation | undefined, quirks: Quirks, model = context.model) {
  const [, assistant, tool] = sentMessages(turn(continuation), quirks, model) as readonly JsonObject[];
  return { assistant, tool };
}

function detailsOf(...chunks: readonly (readonly JsonObject[])[]): unknown {
  const payloads = chunks.map((reasoning_details) => chunk({ reasoning_details }));
  return decoded([...payloads, chunk({ content: "x" }), finished], details).completion.continuation?.data
    .reasoning_details;
}

const plainCall = { type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } };

describe("what a model must get back", () => {
  it("is its reasoning with the vendor's own ids, to the model that made it", () => {
    const { continuation } = decoded(
      [chunk({ reasoning_content: "First, " }), chunk({ reasoning_content: "read." }), call, finished],
      toolTurns,
    ).completion;

    expect(continuation).toEqual({ ...context, data: { reasoning_content: "First, read." } });
    expect(replayed(continuation, toolTurns)).toEqual({
      assistant: {
        role: "assistant",
        content: null,
        reasoning_content: "First, read.",
        tool_calls: [{ id: "vendor-1", ...plainCall }],
      },
      tool: { role: "tool", tool_call_id: "vendor-1", content: "A" },
    });
  });

  it.each(["details", "tool-turns"] as const)(
    "leaves no trace (%s) in what another model is sent",
    (reasoningReplay) => {
      const data = { reasoning_content: "x", reasoning_details: [{ a: 1 }], extra_content: [{ b: 2 }] };
      const quirks = { reasoningReplay };

      expect(replayed({ ...context, data }, quirks, "model-2")).toEqual(replayed(undefined, quirks, "model-2"));
      expect(replayed({ ...context, provider: "other", data }, quirks)).toEqual(replayed(undefined, quirks));
      expect(replayed(undefined, quirks).assistant).toEqual({
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t00010000", ...plainCall }],
      });
    },
  );

  it("is not kept of a turn without calls, nor for a vendor that wants none", () => {
    const thought = chunk({ reasoning_content: "hm", reasoning_details: [] });

    expect(decoded([thought, chunk({ content: "x" }), finished], toolTurns).completion).not.toHaveProperty(
      "continuation",
    );
    expect(decoded([thought, call, finished]).completion).not.toHaveProperty("continuation");
  });

  it("is what came beside each call, on that call", () => {
    const signature = { google: { thought_signature: "c2ln" } };
    const calls = fragments(
      { id: "vendor-1", extra_content: signature, function: { name: "read_file", arguments: '{"path":"a"}' } },
      { id: "vendor-2", function: { name: "read_file", arguments: "{}" } },
    );
    const { continuation } = decoded([calls, finished]).completion;
    expect(continuation?.data).toEqual({ extra_content: [signature, null] });

    const first = { ...context, data: { extra_content: [signature] } };
    expect(replayed(first, {}).assistant?.tool_calls).toEqual([
      { id: "vendor-1", type: "function", extra_content: signature, function: plainCall.function },
    ]);
    expect(replayed({ ...context, data: { extra_content: [signature, null] } }, {}).assistant?.tool_calls).toEqual([
      { id: "vendor-1", ...plainCall },
    ]);
  });
});

describe("reasoning details", () => {
  it("go back in order, an empty list included", () => {
    for (const reasoning_details of [[], [{ type: "reasoning.encrypted", data: "x" }]]) {
      const { continuation } = decoded([chunk({ reasoning_details }), call, finished], details).completion;

      expect(replayed(continuation, details).assistant).toMatchObject({ reasoning_details });
    }
  });

  it("are there for an answer without calls too, once for the message", () => {
    const continuation = { ...context, data: { reasoning_details: [] } };
    const messages: Message[] = [user("Hello."), { role: "assistant", text: "Hi.", calls: [], continuation }];

    expect(sentMessages(messages, details)).toContainEqual({
      role: "assistant",
      content: "Hi.",
      reasoning_details: [],
    });
  });

  it("are whole again, with a signature that comes alone and late", () => {
    const text = { type: "reasoning.text", format: "f", index: 0 };
    const opaque = { type: "reasoning.encrypted", data: "x", index: 1 };

    expect(
      detailsOf(
        [{ ...text, text: "Two " }],
        [{ ...text, text: "files.", signature: null }],
        [opaque],
        [{ ...text, signature: "c2ln" }],
      ),
    ).toEqual([{ ...text, text: "Two files.", signature: "c2ln" }, opaque]);
  });

  it("keep apart what was signed or numbered apart", () => {
    const signed = { type: "reasoning.text", text: "a", signature: "1" };
    const blocks = [signed, { ...signed, text: "b", signature: "2" }, { type: "reasoning.text", text: "c", index: 4 }];

    expect(detailsOf(blocks)).toEqual(blocks);
  });

  it("join pieces of a summary under one number, and no others", () => {
    const summary = { type: "reasoning.summary", index: 0 };

    expect(detailsOf([{ ...summary, summary: "a" }], [{ ...summary, summary: "b" }])).toEqual([
      { ...summary, summary: "ab" },
    ]);
    expect(
      detailsOf([
        { type: "reasoning.summary", summary: "a" },
        { type: "reasoning.summary", summary: "b" },
      ]),
    ).toHaveLength(2);
  });
});
