// Whatever conversation a run comes to, its body is one that the strictest vendor takes.
import type { Continuation, Message } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf, context, requestOf, resultsOf, user } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";
import type { Quirks } from "./quirks.js";

interface Sent {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const text = fc.oneof(fc.constantFrom("", " ", "Hello.", "cut \ud800"), fc.string({ unit: "binary" }));

const continuation: fc.Arbitrary<Continuation | undefined> = fc.option(
  fc.record({
    provider: fc.constant(context.provider),
    model: fc.constantFrom(context.model, "model-2"),
    data: fc.constantFrom({ reasoning_content: "hm" }, { reasoning_details: [] }, { extra_content: [{ a: 1 }] }),
  }),
  { nil: undefined },
);

const turn = fc.oneof(
  fc.record({ type: fc.constant("user" as const), text }),
  fc.record({
    type: fc.constant("assistant" as const),
    text: fc.option(text),
    vendorIds: fc.array(fc.constantFrom("x", "call_1", "functions.read:0", ""), { maxLength: 3 }),
    continuation,
  }),
);

/** Every call gets its result, and results come in any order. */
const conversation = fc.array(turn, { maxLength: 8 }).map((turns) =>
  turns.flatMap((item, at): readonly Message[] => {
    if (item.type === "user") return [user(item.text)];
    const calls = item.vendorIds.map((id, nth) => callOf(`${at}.${nth}`, `tool ${nth}`, { nth }, id));
    const { continuation: kept } = item;
    const assistant: Message = { role: "assistant", text: item.text, calls, ...(kept ? { continuation: kept } : {}) };
    return calls.length === 0
      ? [assistant]
      : [assistant, resultsOf(...calls.map(({ id }) => [id, item.text ?? ""] as const).reverse())];
  }),
);

function messagesOf(messages: readonly Message[], quirks: Quirks): readonly Sent[] {
  const request = requestOf({ messages, cacheThrough: 2 });
  const bytes = JSON.stringify(chatWire({ quirks }).encode(request, context));
  expect(JSON.stringify(chatWire({ quirks }).encode(structuredClone(request), context))).toBe(bytes);
  expect(bytes.isWellFormed()).toBe(true);
  return JSON.parse(bytes).messages;
}

/** Calls and results in the order in which a vendor wants to find them: each call's answer directly behind its message. */
function expectPaired(sent: readonly Sent[]) {
  const owed: string[] = [];
  const ids = new Set<string>();
  for (const { role, tool_calls = [], tool_call_id } of sent) {
    if (role === "tool") expect(tool_call_id).toBe(owed.shift());
    else expect(owed).toEqual([]);
    for (const { id } of tool_calls) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      owed.push(id);
    }
  }
  expect(owed).toEqual([]);
}

describe("a conversation", () => {
  it.each<[string, Quirks]>([
    ["plain", {}],
    ["with marks and details", { cacheMarks: true, reasoningReplay: "details" }],
    ["with reasoning", { reasoningReplay: "tool-turns" }],
    ["for the strictest", { callIds: "minted9", nullContent: "", assistantAfterTool: true, mergeUsers: true }],
  ])("(%s) has one answer for each call, and nothing empty", (_how, quirks) => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sent = messagesOf(messages, quirks);
        expectPaired(sent);
        for (const { role, content, tool_calls } of sent) {
          if (role === "assistant" && tool_calls) expect(content === quirks.nullContent || content !== "").toBe(true);
          else expect([null, "", undefined]).not.toContain(content);
        }
      }),
    );
  });

  it("has ids of nine characters and no neighbours that the strictest vendors refuse, where that is asked", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sent = messagesOf(messages, { callIds: "minted9", assistantAfterTool: true, mergeUsers: true });
        const ids = sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
        const neighbours = sent.map(({ role }, at) => `${sent[at - 1]?.role} ${role}`);

        for (const id of ids) expect(id).toMatch(/^[a-z0-9]{9}$/);
        expect(neighbours).not.toContain("user user");
        expect(neighbours).not.toContain("tool user");
      }),
    );
  });
});
