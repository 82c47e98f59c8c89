// Messages, as a vendor speaks it.
import { answeringModel, type Heard, piecesOf, type SpokenAnswer, usualUsage, type VendorWire } from "./wire.js";

function reasonOf({ stop, calls = [] }: SpokenAnswer): string {
  if (stop === "length") return "max_tokens";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function startOf({ model = answeringModel, usage = usualUsage }: SpokenAnswer): string {
  const counts = { input_tokens: usage.prompt, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", content: [], model, stop_reason: null };
  return JSON.stringify({ type: "message_start", message: { ...message, usage: counts } });
}

function block(index: number, contentBlock: object, deltas: readonly object[]): readonly string[] {
  return [
    JSON.stringify({ type: "content_block_start", index, content_block: contentBlock }),
    ...deltas.map((delta) => JSON.stringify({ type: "content_block_delta", index, delta })),
    JSON.stringify({ type: "content_block_stop", index }),
  ];
}

function withoutEnd(answer: SpokenAnswer): readonly string[] {
  const { text = [], calls = [], usage = usualUsage } = answer;
  const first = text.length > 0 ? 1 : 0;
  const delta = { stop_reason: reasonOf(answer), stop_sequence: null };
  return [
    startOf(answer),
    ...(first === 0
      ? []
      : block(
          0,
          { type: "text", text: "" },
          text.map((piece) => ({ type: "text_delta", text: piece })),
        )),
    JSON.stringify({ type: "ping" }),
    ...calls.flatMap(({ id, name, input }, index) =>
      block(
        first + index,
        { type: "tool_use", id, name, input: {} },
        piecesOf(input).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
      ),
    ),
    JSON.stringify({ type: "message_delta", delta, usage: { output_tokens: usage.completion } }),
  ];
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

function hear(text: string): Heard {
  const body = JSON.parse(text);
  const turns: readonly (readonly Block[])[] = body.messages.map(
    ({ content }: { content: string | readonly Block[] }) =>
      typeof content === "string" ? [{ type: "text" }] : content,
  );
  const callsOf = (blocks: readonly Block[] = []) => blocks.filter(({ type }) => type === "tool_use");
  const resultsOf = (blocks: readonly Block[] = []) => blocks.filter(({ type }) => type === "tool_result");

  return {
    model: body.model,
    isStream: body.stream === true,
    tools: (body.tools ?? []).map(({ name }: { name: string }) => name),
    calls: turns.flatMap(callsOf).map(({ id = "", name = "", input }) => ({ id, name, input })),
    results: turns.flatMap(resultsOf).map(({ tool_use_id: id = "", content }) => ({
      id,
      content: typeof content === "string" ? content : plain(content),
    })),
    isPaired: turns.every((blocks, index) => {
      const answered = resultsOf(turns[index + 1]).map((result) => result.tool_use_id);
      return (
        callsOf(blocks)
          .map(({ id }) => id)
          .join() === answered.join()
      );
    }),
  };
}

function plain(content: unknown): string {
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("");
}

export const anthropicMessages: VendorWire = {
  path: "/messages",
  withoutEnd,
  events: (answer) => [...withoutEnd(answer), JSON.stringify({ type: "message_stop" })],
  body(answer) {
    const { text = [], calls = [], usage = usualUsage, model = answeringModel } = answer;
    const content = [
      ...(text.length > 0 ? [{ type: "text", text: text.join("") }] : []),
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input: JSON.parse(input || "{}") })),
    ];
    const counts = { input_tokens: usage.prompt, output_tokens: usage.completion };
    const message = { id: "msg_1", type: "message", role: "assistant", model, content, stop_reason: reasonOf(answer) };
    return JSON.stringify({ ...message, usage: counts });
  },
  codes: {
    server: "overloaded_error",
    "rate-limited": "rate_limit_error",
    quota: "billing_error",
    "context-overflow": "request_too_large",
    auth: "authentication_error",
    request: "invalid_request_error",
  },
  failureBody: ({ code, message }) => JSON.stringify({ type: "error", error: { type: code, message } }),
  failure: ({ code, message }) => [JSON.stringify({ type: "error", error: { type: code, message } })],
  billedFailure: ({ code, message }, usage) => [
    startOf({ usage }),
    JSON.stringify({ type: "message_delta", delta: {}, usage: { output_tokens: usage.completion } }),
    JSON.stringify({ type: "error", error: { type: code, message } }),
  ],
  unknown: JSON.stringify({ type: "telemetry", nothing: { of: ["interest"] } }),
  exhausted: (seconds) => ({
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": new Date(Date.now() + seconds * 1_000).toISOString(),
    "anthropic-ratelimit-tokens-remaining": "1000",
    "anthropic-ratelimit-tokens-reset": new Date(Date.now() + 360_000).toISOString(),
  }),
  hear,
};
