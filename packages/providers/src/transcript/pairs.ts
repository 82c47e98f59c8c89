// Every vendor rejects a call without a result, and a result without its call. A request like that is refused here, before
// anything is sent, because the vendor's answer would cost a request and name an id that nobody has seen.
import { type CallId, type CallResult, ConfigError, type Message, type ToolCall } from "@harness/spec";

/** Throws `ConfigError` unless each call has exactly one result, in the message after it, and each result its call. */
export function checkPairs(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const previous = messages[index - 1];
    if (message.role === "assistant") checkAnswered(message.calls, messages[index + 1], index);
    else if (message.role === "results" && previous?.role !== "assistant") checkAsked(message.results, [], index);
  });
}

function checkAnswered(calls: readonly ToolCall[], next: Message | undefined, index: number): void {
  const results = next?.role === "results" ? next.results : [];
  checkAsked(results, calls, index + 1);
  const counts = new Map<CallId, number>();
  for (const { call } of results) counts.set(call, (counts.get(call) ?? 0) + 1);
  const ids = new Set<CallId>();
  for (const { id, name } of calls) {
    const count = counts.get(id) ?? 0;
    if (ids.has(id)) throw refusal(index, `the call ${id} ("${name}") is there twice`);
    if (count === 0) throw refusal(index, `the call ${id} ("${name}") has no result in the message after it`);
    if (count > 1) throw refusal(index + 1, `the call ${id} ("${name}") has ${count} results`);
    ids.add(id);
  }
}

function checkAsked(results: readonly CallResult[], calls: readonly ToolCall[], index: number): void {
  const stray = results.find(({ call }) => !calls.some(({ id }) => id === call));
  if (stray) throw refusal(index, `a result names the call ${stray.call}, which the message before it did not make`);
}

function refusal(index: number, problem: string): ConfigError {
  return new ConfigError(
    `Could not ask for a completion: in message ${index}, ${problem}. Nothing was sent. Give every call exactly one result, directly after it.`,
    { path: ["messages", index] },
  );
}
