// Chat Completions, as a vendor speaks it.
import { answeringModel, type Heard, piecesOf, type SpokenAnswer, usualUsage, type VendorWire } from "./wire.js";

function chunk(model: string, delta: object, finishReason: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  return JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", model, choices: [choice] });
}

function usageOf({ prompt, completion } = usualUsage) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function reasonOf({ stop, calls = [] }: SpokenAnswer): string {
  return stop ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function withoutEnd(answer: SpokenAnswer): readonly string[] {
  const { text = [], calls = [], usage, model = answeringModel } = answer;
  return [
    chunk(model, { role: "assistant", content: text.length > 0 ? "" : null }),
    ...text.map((content) => chunk(model, { content })),
    ...calls.map(({ id, name }, index) =>
      chunk(model, { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ),
    ...calls.flatMap(({ input }, index) =>
      piecesOf(input).map((piece) => chunk(model, { tool_calls: [{ index, function: { arguments: piece } }] })),
    ),
    chunk(model, {}, reasonOf(answer)),
    JSON.stringify({ id: "chatcmpl-1", model, choices: [], usage: usageOf(usage) }),
  ];
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
}

function hear(text: string): Heard {
  const body = JSON.parse(text);
  const messages: readonly ChatMessage[] = body.messages;
  const callsOf = (message: ChatMessage) => message.tool_calls ?? [];

  return {
    model: body.model,
    isStream: body.stream === true,
    tools: (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
    calls: messages.flatMap(callsOf).map(({ id, function: called }) => ({
      id,
      name: called.name,
      input: JSON.parse(called.arguments),
    })),
    results: messages.flatMap(({ tool_call_id: id, content }) =>
      id === undefined ? [] : [{ id, content: content ?? "" }],
    ),
    isPaired: messages.every((message, index) => {
      const ids = callsOf(message).map(({ id }) => id);
      const behind = messages.slice(index + 1, index + 1 + ids.length).map((next) => next.tool_call_id);
      return ids.join() === behind.join();
    }),
  };
}

export const openaiChat: VendorWire = {
  path: "/chat/completions",
  withoutEnd,
  events: (answer) => [...withoutEnd(answer), "[DONE]"],
  body({ model = answeringModel, ...answer }) {
    const calls = (answer.calls ?? []).map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: input },
    }));
    const message = { role: "assistant", content: answer.text?.join("") ?? null, tool_calls: calls };
    const choice = { index: 0, message, finish_reason: reasonOf(answer) };
    return JSON.stringify({ id: "chatcmpl-1", model, choices: [choice], usage: usageOf(answer.usage) });
  },
  codes: {
    server: "server_error",
    "rate-limited": "rate_limit_exceeded",
    quota: "insufficient_quota",
    "context-overflow": "context_length_exceeded",
    auth: "authentication_error",
    request: "invalid_request_error",
  },
  failureBody: ({ code, message }) => JSON.stringify({ error: { message, type: "error", param: null, code } }),
  failure: ({ code, message }) => [JSON.stringify({ error: { message, code } })],
  billedFailure: ({ code, message }, usage) => [
    JSON.stringify({ id: "chatcmpl-1", model: answeringModel, choices: [], usage: usageOf(usage) }),
    JSON.stringify({ error: { message, code } }),
  ],
  unknown: JSON.stringify({ object: "telemetry", nothing: { of: ["interest"] } }),
  exhausted: (seconds) => ({
    "x-ratelimit-limit-requests": "50",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": `${seconds}s`,
    "x-ratelimit-remaining-tokens": "1000",
    "x-ratelimit-reset-tokens": "6m0s",
  }),
  hear,
};
