// From the conversation to what a completion is asked with. Nothing in it depends on a clock, an id or the order in which
// parallel work ended, so a resumed run asks exactly what an uninterrupted one would have.
import type { CompletionRequest, EventOf, Message, TaskContract, ToolSpec } from "@harness/spec";
import { items, type Vector } from "../events/vector.js";
import type { CallState } from "../tools/call-state.js";

/** Code points of a check's output that the model is shown. */
const shownOutput = 4_000;

/**
 * A request over the whole conversation. The newest version of a vector is the array it shares, so nothing is copied: a provider
 * keeps and changes nothing of a request, and nothing is added to the conversation while it answers.
 */
export function assemble(
  system: string,
  messages: Vector<Message>,
  tools: readonly ToolSpec[],
  { model, maxOutputTokens, effort }: TaskContract,
): CompletionRequest {
  const request: Writable<CompletionRequest> = {
    system,
    messages: messages.shared.length === messages.length ? messages.shared : items(messages),
    tools,
    cacheThrough: Math.max(0, messages.length - 1),
  };
  if (model !== undefined) request.model = model;
  if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens;
  if (effort !== undefined) request.effort = effort;
  return request;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** The results of a step, in call order, each no longer than the contract lets it be. */
export function observe(calls: readonly CallState[], maxChars: number): Message {
  return {
    role: "results",
    results: calls.map((call) => {
      const content = shorten(edits(call) + (call.result?.text ?? ""), maxChars);
      return call.result?.status === "ok" ? { call: call.id, content } : { call: call.id, content, isError: true };
    }),
  };
}

/** A model that is not told believes that what it asked for was done. */
function edits({ isEdited, arguments: input }: CallState): string {
  return isEdited ? `The arguments were changed to ${JSON.stringify(input)} before the call was made.\n` : "";
}

/** What the model reads of a check that did not pass. */
export function checkNote(event: Omit<EventOf<"gate.finished">, "seq" | "at">): string {
  const { detail = "it did not pass", output = null } = event.content ?? {};
  const shown = event.reveal && output ? `\n\nWhat it printed:\n${shorten(output, shownOutput)}` : "";
  return `The check has not passed: ${detail}.${shown}`;
}

export function replanNote(decisions: string): string {
  return `The last steps repeat themselves and nothing has changed. Do something else. So far: ${decisions}`;
}

export const nudge = "Go on.";

/** Head and tail of `text`, half each, with a line between them that counts what is missing. Counts code points. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const points = Array.from(text);
  if (points.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const left = points.length - 2 * half;
  const head = points.slice(0, half).join("");
  return `${head}\n[… ${left} of ${points.length} characters left out …]\n${points.slice(points.length - half).join("")}`;
}
