// Responses, as a vendor speaks it.
import { openaiChat } from "./openai-chat.js";
import { answeringModel, type Heard, piecesOf, type SpokenAnswer, usualUsage, type VendorWire } from "./wire.js";

type Item = { readonly type: string } & Readonly<Record<string, unknown>>;

function usageOf({ prompt, completion } = usualUsage) {
  return { input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion };
}

function itemsOf({ text = [], calls = [] }: SpokenAnswer): readonly Item[] {
  const content = [{ type: "output_text", text: text.join(""), annotations: [] }];
  return [
    ...(text.length > 0
      ? [{ type: "message", id: "msg_1", role: "assistant", status: "completed", content } as const]
      : []),
    ...calls.map(({ id, name, input }, index) => ({
      type: "function_call",
      id: `fc_${index}`,
      call_id: id,
      name,
      arguments: input,
      status: "completed",
    })),
  ];
}

function responseOf(answer: SpokenAnswer) {
  const { model = answeringModel, usage, stop } = answer;
  return {
    id: "resp_1",
    object: "response",
    model,
    status: stop === "length" ? "incomplete" : "completed",
    incomplete_details: stop === "length" ? { reason: "max_output_tokens" } : null,
    output: itemsOf(answer),
    usage: usageOf(usage),
  };
}

function deltasOf(item: Item, index: number, { text = [] }: SpokenAnswer): readonly object[] {
  if (item.type === "message") {
    const base = { type: "response.output_text.delta", item_id: item.id, output_index: index, content_index: 0 };
    return text.map((delta) => ({ ...base, delta }));
  }
  const base = { type: "response.function_call_arguments.delta", item_id: item.id, output_index: index };
  return piecesOf(String(item.arguments)).map((delta) => ({ ...base, delta }));
}

function itemEvents(item: Item, index: number, answer: SpokenAnswer): readonly object[] {
  const empty = item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" };
  return [
    { type: "response.output_item.added", output_index: index, item: { ...empty, status: "in_progress" } },
    ...deltasOf(item, index, answer),
    { type: "response.output_item.done", output_index: index, item },
  ];
}

function events(answer: SpokenAnswer): readonly string[] {
  const response = responseOf(answer);
  const { output: _, usage: __, ...opening } = response;
  const last = response.status === "incomplete" ? "response.incomplete" : "response.completed";
  return [
    { type: "response.created", response: { ...opening, status: "in_progress", incomplete_details: null } },
    ...response.output.flatMap((item, index) => itemEvents(item, index, answer)),
    { type: last, response },
  ].map((event) => JSON.stringify(event));
}

function hear(text: string): Heard {
  const body = JSON.parse(text);
  const input: readonly Item[] = typeof body.input === "string" ? [] : body.input;
  const calls = input.filter(({ type }) => type === "function_call");
  const results = input.filter(({ type }) => type === "function_call_output");

  return {
    model: body.model,
    isStream: body.stream === true,
    tools: (body.tools ?? []).map(({ name }: { name: string }) => name),
    calls: calls.map(({ call_id: id, name, arguments: written }) => ({
      id: String(id),
      name: String(name),
      input: JSON.parse(String(written)),
    })),
    results: results.map(({ call_id: id, output }) => ({ id: String(id), content: String(output) })),
    isPaired: calls.map((call) => call.call_id).join() === results.map((result) => result.call_id).join(),
  };
}

export const openaiResponses: VendorWire = {
  path: "/responses",
  events,
  withoutEnd: () => undefined,
  body: (answer) => JSON.stringify(responseOf(answer)),
  codes: openaiChat.codes,
  failureBody: openaiChat.failureBody,
  failure: ({ code, message }) => [JSON.stringify({ type: "error", code, message, param: null, sequence_number: 3 })],
  billedFailure: ({ code, message }, usage) => [
    JSON.stringify({
      type: "response.failed",
      response: {
        id: "resp_1",
        model: answeringModel,
        status: "failed",
        error: { code, message },
        usage: usageOf(usage),
      },
    }),
  ],
  unknown: JSON.stringify({ type: "response.telemetry", nothing: { of: ["interest"] } }),
  exhausted: openaiChat.exhausted,
  hear,
};
