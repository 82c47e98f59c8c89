// A provider over `fetch` that is just enough to pass the suite for Chat Completions, so that the suite is known to be passable by
// somebody who has nothing but the port. It declines one thing: deadlines.
import {
  type Completion,
  type CompletionRequest,
  ConfigError,
  isJsonObject,
  type Message,
  type ProposedCall,
  type Provider,
  ProviderError,
  type StopReason,
  sha256,
  type Usage,
} from "@harness/spec";
import { type Facts, kindOfStatus, kindOfWords, said, waitIn } from "./toy-failures.test-support.js";

type Asked = Parameters<Provider["complete"]>[1];
// biome-ignore lint/suspicious/noExplicitAny: a toy reads what it is sent without checking.
type Json = any;

export function toyProvider(baseUrl: string, apiKey: string, model: string): Provider {
  const fail = (kind: ConstructorParameters<typeof ProviderError>[0], message: string, facts: Facts = {}) => {
    const hide = (text: string) => text.replaceAll(apiKey, "[key]").slice(0, 2_000);
    const code = facts.vendorCode === undefined ? {} : { vendorCode: hide(facts.vendorCode) };
    return new ProviderError(kind, "toy", hide(message), { ...facts, ...code });
  };

  async function ask(request: CompletionRequest, { onDelta = () => {}, ...asked }: Asked): Promise<Completion> {
    // A signal of its own: what `fetch` hangs on a signal stays there.
    const signal = AbortSignal.any([asked.signal]);
    const body = JSON.stringify(encode(request, model), (_, part) =>
      typeof part === "string" ? part.toWellFormed() : part,
    );
    signal.throwIfAborted();
    const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: "POST",
      redirect: "manual",
      headers,
      body,
      signal,
    });
    if (response.status !== 200) throw refusal(response.status, response.headers, await response.text());
    const answer = new Answer((text) => signal.aborted || onDelta({ type: "text", text }), fail);
    for await (const payload of payloads(response)) {
      answer.push(payload);
      signal.throwIfAborted();
      if (answer.isDone) break;
    }
    return answer.end(request);
  }

  function refusal(status: number, headers: Headers, text: string): ProviderError {
    const { message, code } = said(text);
    const retryAfterMs = waitIn(status, headers, text);
    const kind = kindOfStatus(status, `${code} ${message}`, headers.has("retry-after"));
    return fail(kind, `toy answered ${status}: ${message}`, {
      status,
      ...(code !== "" && { vendorCode: code }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(headers.get("x-should-retry") === "false" && { isRetryable: false }),
    });
  }

  return {
    ...{ spec: 1, name: "toy", model, endpoints: [{ target: new URL(baseUrl).host }] },
    complete: (request, asked) =>
      ask(request, asked).catch((error: unknown) => {
        if (asked.signal.aborted) throw fail("cancelled", "The request was cancelled.");
        if (error instanceof ProviderError || error instanceof ConfigError) throw error;
        throw fail("transport", "The connection did not last.");
      }),
  };
}

const vendorName = (name: string) => (/^[\w-]{1,64}$/.test(name) ? name : `t_${sha256(name).slice(0, 40)}`);

function encode({ system, messages, tools, ...request }: CompletionRequest, model: string): Json {
  messages.forEach((message, index) => {
    const wanted =
      message.role === "assistant"
        ? message.calls
            .map(({ id }) => id)
            .sort()
            .join()
        : "";
    const next = messages[index + 1];
    const found =
      next?.role === "results"
        ? next.results
            .map(({ call }) => call)
            .sort()
            .join()
        : "";
    if (wanted !== "" && wanted !== found) throw new ConfigError("A call has not one result. Give it one.");
  });
  const functions = tools.map(({ name, ...tool }) => ({
    type: "function",
    function: { ...tool, name: vendorName(name) },
  }));
  return {
    ...{ model: request.model ?? model, stream: true, stream_options: { include_usage: true } },
    messages: [
      { role: "system", content: system },
      ...messages.flatMap((message, index) => turn(message, messages[index - 1])),
    ],
    ...(tools.length > 0 && { tools: functions }),
  };
}

function turn(message: Message, before: Message | undefined): Json {
  if (message.role === "user") return { role: "user", content: message.text };
  if (message.role === "assistant") {
    const calls = message.calls.map(({ id, name, arguments: input }) => ({
      ...{ id, type: "function", function: { name: vendorName(name), arguments: JSON.stringify(input ?? {}) } },
    }));
    return { role: "assistant", content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
  }
  const calls = before?.role === "assistant" ? before.calls : [];
  return calls.map(({ id }) => {
    const content = message.results.find(({ call }) => call === id)?.content || "(no output)";
    return { role: "tool", tool_call_id: id, content };
  });
}

/** The data of each event; a body that is no stream is one of them. */
async function* payloads({ body }: Response): AsyncIterable<string> {
  let [buffer, data] = ["", [] as string[]];
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    buffer += piece;
    if (buffer.trimStart().startsWith("{")) continue;
    const lines = buffer.split(/\r\n|\n|\r(?!$)/);
    buffer = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
  if (buffer.startsWith("data:")) data.push(buffer.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
  if (buffer.trimStart().startsWith("{")) yield buffer;
}

class Answer {
  isDone = false;
  #text = "";
  #reason = "";
  #model: string | null = null;
  #usage: Usage | null = null;
  readonly #calls: { id: string; name: string; input: string }[] = [];

  constructor(
    readonly onText: (text: string) => void,
    readonly fail: (...args: Json[]) => ProviderError,
  ) {}

  push(payload: string): void {
    if (payload.trim() === "[DONE]") this.isDone = true;
    if (this.isDone || !payload.trimStart().startsWith("{")) return;
    const event = this.#parsed(payload);
    this.#model ||= event.model ?? null;
    if (event.usage) this.#count(event.usage);
    if (event.error) {
      const { code, message } = said(payload);
      const facts = { vendorCode: code, ...(this.#usage && { usage: this.#usage }) };
      throw this.fail(kindOfWords(`${code} ${message}`) ?? "server", `toy failed: ${message}`, facts);
    }
    const choice = event.choices?.[0];
    this.#reason = choice?.finish_reason || this.#reason;
    this.#take(choice?.delta ?? choice?.message ?? {});
  }

  end({ tools }: CompletionRequest): Completion {
    if (!this.#reason) throw this.fail("malformed", "The answer ended in the middle.", { vendorCode: "truncated" });
    const calls = this.#calls.map(({ id, name, input }): ProposedCall => {
      const ours = tools.find((tool) => vendorName(tool.name) === name)?.name ?? name;
      return { name: ours, vendorId: id, ...argumentsIn(input) };
    });
    const usual: StopReason = calls.length > 0 ? "tool-calls" : "end";
    return {
      ...{ text: this.#text || null, calls, reasoning: null, usage: this.#usage, model: this.#model, ttftMs: null },
      ...{ stop: this.#reason === "length" ? "length" : usual, finishReason: this.#reason },
    };
  }

  #parsed(payload: string): Json {
    try {
      return JSON.parse(payload);
    } catch {
      throw this.fail("malformed", "The answer could not be read.", { vendorCode: "bad_json" });
    }
  }

  #take({ content, tool_calls: fragments = [] }: Json): void {
    if (content) this.#text += content;
    if (content) this.onText(content);
    for (const { index = this.#calls.length, id, function: called = {} } of fragments) {
      this.#calls[index] ??= { id, name: called.name, input: "" };
      (this.#calls[index] as { input: string }).input += called.arguments ?? "";
    }
  }

  #count({ prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens }: Json): void {
    const none = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    this.#usage = { promptTokens, completionTokens, totalTokens, ...none };
  }
}

function argumentsIn(input: string): Pick<ProposedCall, "arguments" | "invalidArguments"> {
  try {
    const value: unknown = JSON.parse(input.trim() || "{}");
    if (isJsonObject(value)) return { arguments: value };
  } catch {
    // Said below.
  }
  return { arguments: null, invalidArguments: input };
}
