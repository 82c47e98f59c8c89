import { callId, type JsonObject, type Message, type ToolCall } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Piece } from "./continuation.js";
import { called, decoded, encoded, json, request, started, stopped, text, tools } from "./messages.test-support.js";

interface Block extends JsonObject {
  readonly type: string;
}
interface Sent {
  readonly role: string;
  readonly content: readonly Block[];
}

const words = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", " \n", "Hello. ", "\uD800"));
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ type: fc.constant("thinking" as const), thinking: words, signature: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant("redacted_thinking" as const), data: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant("text" as const), chars: fc.nat(6) }),
  fc.constant({ type: "call" as const }),
);
const continuation = fc.record({
  provider: fc.constantFrom("anthropic", "elsewhere"),
  model: fc.constantFrom("claude-sonnet-4-5", "gpt-5"),
  data: fc.array(piece).map((pieces) => ({ pieces: pieces.map((item) => ({ ...item })) })),
});
const call = fc.record({
  name: fc.constantFrom("read_file", "files.list", "made_up", "made up"),
  arguments: fc.option(fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonObject[string]>)),
  vendorId: fc.option(fc.constantFrom("toolu_1", "toolu_2"), { nil: undefined }),
  result: words,
  isError: fc.boolean(),
});
const step = fc.record({
  text: fc.option(words),
  calls: fc.array(call, { maxLength: 3 }),
  continuation: fc.option(continuation, { nil: undefined }),
  notes: fc.array(words, { maxLength: 2 }),
});

/** What the loop keeps: a briefing, then turns, each answered in full, or by a word of its own when nothing was called. */
const transcript: fc.Arbitrary<readonly Message[]> = fc.array(step, { maxLength: 6 }).map((steps) => [
  { role: "user", text: "Go." },
  ...steps.flatMap(({ text: said, calls, notes, ...rest }, index): Message[] => {
    const made = calls.map(({ result, isError, vendorId, ...asked }, nth) => ({
      call: { ...asked, id: callId(index + 1, nth + 1), ...(vendorId ? { vendorId } : {}) } as ToolCall,
      result: { call: callId(index + 1, nth + 1), content: result, ...(isError ? { isError } : {}) },
    }));
    return [
      {
        role: "assistant",
        text: said,
        calls: made.map((item) => item.call),
        ...(rest.continuation ? { continuation: rest.continuation } : {}),
      },
      made.length > 0
        ? { role: "results", results: made.map(({ result }) => result) }
        : { role: "user", text: "Use a tool, or finish." },
      ...notes.map((note): Message => ({ role: "user", text: note })),
    ];
  }),
]);

function sent(messages: readonly Message[], cacheThrough = 0): readonly Sent[] {
  return encoded(request({ messages, tools, cacheThrough })).messages as unknown as readonly Sent[];
}

const ofType = ({ content = [] }: Partial<Sent>, type: string) => content.filter((block) => block.type === type);

describe("any transcript that the loop can make", () => {
  it("becomes messages of alternating roles, beginning with the user's", () => {
    fc.assert(
      fc.property(transcript, (messages) => {
        const roles = sent(messages).map(({ role }) => role);

        expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
      }),
    );
  });

  it("has exactly one result for each call, in the next message, in order and before any text", () => {
    fc.assert(
      fc.property(transcript, (messages) => {
        const all = sent(messages);
        const ids = all.flatMap((message) => ofType(message, "tool_use").map(({ id }) => id));
        all.forEach((message, index) => {
          const calls = ofType(message, "tool_use").map(({ id }) => id);
          const answers = all[index + 1]?.content.slice(0, calls.length).map((block) => block.tool_use_id) ?? [];
          expect(answers).toEqual(calls);
          if (message.role === "user") {
            const before = all[index - 1] ?? {};
            expect(ofType(message, "tool_result")).toHaveLength(ofType(before, "tool_use").length);
          }
        });
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it("has no blank text, no half characters outside thinking, no thinking at an end and no more than one mark", () => {
    fc.assert(
      fc.property(transcript, fc.nat(20), (messages, cacheThrough) => {
        const all = sent(messages, cacheThrough);
        const blocks = all.flatMap(({ content }) => content);
        const plain = blocks.filter(({ type }) => !type.includes("thinking"));

        expect(blocks.filter((block) => typeof block.text === "string" && block.text.trim() === "")).toEqual([]);
        expect(JSON.stringify(plain)).not.toMatch(/\\ud[89a-f]/);
        expect(all.filter(({ content }) => content.at(-1)?.type.includes("thinking"))).toEqual([]);
        expect(blocks.filter((block) => "cache_control" in block).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("becomes the same bytes each time", () => {
    fc.assert(
      fc.property(transcript, (messages) => {
        expect(JSON.stringify(sent(structuredClone(messages)))).toBe(JSON.stringify(sent(messages)));
      }),
    );
  });

  it("begins with the bytes of the transcript it grew from", () => {
    const flat = (all: readonly Sent[]) =>
      all.flatMap(({ role, content }) => content.map((block) => JSON.stringify([role, block])));
    fc.assert(
      fc.property(transcript, fc.nat(20), (messages, length) => {
        const earlier = messages.slice(0, length + 1);
        fc.pre(earlier.at(-1)?.role !== "assistant");
        const before = flat(sent(earlier));

        expect(flat(sent(messages)).slice(0, before.length)).toEqual(before);
      }),
    );
  });
});

describe("any stream", () => {
  const value = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
  const cuts = fc.array(fc.nat(40), { maxLength: 4 });
  const content = fc.array(fc.record({ value, cuts, words: fc.string() }), { minLength: 1, maxLength: 4 });

  /** `whole` cut at `at`, wherever that is. */
  function parts(whole: string, at: readonly number[]): readonly string[] {
    const ends = [...at.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) => a - b);
    return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
  }

  it("has the same calls and the same text, however their fragments are cut and interleave", () => {
    fc.assert(
      fc.property(content, fc.infiniteStream(fc.nat(7)), (blocks, choices) => {
        const written = blocks.map((block) => JSON.stringify(block.value));
        const queues = written.map((whole, index) => [
          called(index + 1, "read_file"),
          ...parts(whole, blocks[index]?.cuts ?? []).map((part) => json(index + 1, part)),
        ]);
        queues.push(blocks.map((block) => text(0, block.words)));
        const mixed: JsonObject[] = [];
        while (queues.some((queue) => queue.length > 0)) {
          const open = queues.filter((queue) => queue.length > 0);
          mixed.push(...(open[choices.next().value % open.length]?.splice(0, 1) ?? []));
        }
        const answer = decoded([started(), ...mixed, stopped("tool_use")]);
        const byId = [...answer.calls].sort((a, b) => (a.vendorId ?? "").localeCompare(b.vendorId ?? ""));

        expect(byId.map((item) => item.arguments)).toEqual(written.map((whole) => JSON.parse(whole)));
        expect(answer.text ?? "").toBe(blocks.map((block) => block.words).join(""));
      }),
    );
  });
});
