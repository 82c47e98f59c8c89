import { type CallId, type CompletionRequest, callId, type Delta, type JsonObject, type Message } from "@harness/spec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { responsesWire } from "./responses-wire.js";

const context = { provider: "openai", model: "gpt-5.1" };
const wire = responsesWire();

/** An answer of three items at most, streamed in any order, with a last word that may say something else. */
const events = fc.array(
  fc.record({
    type: fc.constantFrom(
      "response.output_text.delta",
      "response.reasoning_summary_text.delta",
      "response.output_item.done",
    ),
    output_index: fc.nat(2),
    content_index: fc.nat(1),
    summary_index: fc.nat(1),
    delta: fc.constantFrom("", "a", "bc", "\n"),
    item: fc.record({
      type: fc.constantFrom("message", "reasoning", "program"),
      content: fc.array(fc.record({ type: fc.constant("output_text"), text: fc.constantFrom("", "a", "abc") }), {
        maxLength: 2,
      }),
    }),
  }),
);
const completed = { type: "response.completed", response: { status: "completed", usage: { total_tokens: 1 } } };

it("shows exactly the text and the reasoning that the answer comes to, in whatever order it came", () => {
  fc.assert(
    fc.property(events, (streamed) => {
      const deltas: Delta[] = [];
      const request: CompletionRequest = { system: "", messages: [], tools: [] };
      const decoder = wire.decoder({ ...context, request, onDelta: (delta) => deltas.push(delta) });
      for (const event of [...streamed, completed]) decoder.push(JSON.stringify(event));
      const { text, reasoning } = decoder.end();
      expect(shown(deltas, "text")).toBe(text ?? "");
      expect(shown(deltas, "reasoning")).toBe(reasoning ?? "");
    }),
  );
});

function shown(deltas: readonly Delta[], type: "text" | "reasoning"): string {
  const from = 1 + deltas.findLastIndex((delta) => delta.type === "reset");
  return deltas.slice(from).reduce((text, delta) => (delta.type === type ? text + delta.text : text), "");
}

const place = fc.oneof(
  fc.constant({ type: "reasoning", item: { type: "reasoning", summary: [], encrypted_content: "x" } }),
  fc.record({ type: fc.constant("message"), chars: fc.nat(4) }),
  fc.constant({ type: "call" }),
  fc.jsonValue(),
);
const turn = fc.record({
  text: fc.constantFrom(null, "", "One", "One\n\nTwo"),
  calls: fc.nat(3),
  items: fc.array(place, { maxLength: 6 }),
});

it("sends whatever was kept of a turn as items that the vendor takes: whole, paired, and no reasoning at the end", () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), (turns) => {
      const messages = turns.flatMap(messagesOf);
      const input = wire.encode({ system: "", messages, tools: [] }, context).input as readonly JsonObject[];
      const ids = (type: string) => input.filter((item) => item.type === type).map(({ call_id }) => call_id);
      expect(ids("function_call")).toEqual(ids("function_call_output"));
      expect(new Set(ids("function_call")).size).toBe(turns.reduce((sum, { calls }) => sum + calls, 0));
      expect(textIn(input)).toBe(turns.map(({ text }) => text?.replace("\n\n", "") ?? "").join(""));
      input.forEach(({ type }, index) => {
        if (type === "reasoning") expect(input[index + 1]?.role ?? "assistant").toBe("assistant");
        if (type === "reasoning") expect(["reasoning", "function_call", undefined]).toContain(input[index + 1]?.type);
      });
    }),
  );
});

/** A turn as core has it. */
function messagesOf(
  { text, calls, items }: { text: string | null; calls: number; items: unknown[] },
  step: number,
): Message[] {
  const ids: readonly CallId[] = Array.from({ length: calls }, (_, nth) => callId(step + 1, nth));
  const asked = ids.map((id) => ({ id, name: "read", arguments: {}, vendorId: `call_${id}` }));
  const continuation = { ...context, data: { items } as JsonObject };
  const results: Message = { role: "results", results: ids.map((call) => ({ call, content: "Done." })) };
  const answer: Message = { role: "assistant", text, calls: asked, continuation };
  return [answer, calls > 0 ? results : { role: "user", text: "" }];
}

function textIn(input: readonly JsonObject[]): string {
  const messages = input.filter(({ role }) => role === "assistant");
  const parts = messages.flatMap(({ content }) => content as readonly JsonObject[]);
  return parts.map(({ text }) => String(text).replace("\n\n", "")).join("");
}
