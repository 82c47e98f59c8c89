// The conversation as encoders walk it: checked, without what would be empty, in names and ids that vendors accept. Everything
// that holds for all vendors is decided here, so an encoder only says how its own puts it.
import type {
  CallId,
  CallResult,
  CompletionRequest,
  Continuation,
  Image,
  JsonObject,
  Message,
  ToolCall,
} from "@harness/spec";
import type { WireContext } from "../wire.js";
import { mintedId } from "./call-ids.js";
import { checkImages } from "./images.js";
import { checkPairs } from "./pairs.js";
import { type ToolNames, toolNames } from "./tool-names.js";
import { wellFormed } from "./well-formed.js";

/** One message. `index` is its place in the request, which dropped ones count in. */
export type Turn = UserTurn | AssistantTurn | ResultsTurn;

/** Has text or images, or both. */
export interface UserTurn {
  readonly type: "user";
  readonly index: number;
  readonly text: string;
  readonly images: readonly Image[];
}

/** Has text or calls, or both. A results turn follows exactly when there are calls. */
export interface AssistantTurn {
  readonly type: "assistant";
  readonly index: number;
  /** `null` for none and for blank. */
  readonly text: string | null;
  readonly calls: readonly VendorCall[];
  /** Only when it is this provider's and this model's own. The calls then have the vendor's ids. */
  readonly continuation?: JsonObject;
}

/** In the order of the calls. */
export interface ResultsTurn {
  readonly type: "results";
  readonly index: number;
  readonly results: readonly VendorResult[];
}

export interface VendorCall {
  readonly id: string;
  readonly name: string;
  /** `{}` where the model wrote something else. */
  readonly arguments: JsonObject;
  readonly call: ToolCall;
}

export interface VendorResult {
  readonly id: string;
  readonly name: string;
  /** Never empty. */
  readonly content: string;
  readonly isError: boolean;
}

const noOutput = "(no output)";

/**
 * The turns of `request`. Throws `ConfigError`, before anything is sent, unless every call has exactly one result in the message
 * after it, and for images that vendors do not take.
 */
export function turnsOf(request: CompletionRequest, context: WireContext): readonly Turn[] {
  checkPairs(request.messages);
  checkImages(request.messages);
  const names = toolNames(request.tools);
  const ids = new Set<string>();
  const turns: Turn[] = [];
  let asked: readonly VendorCall[] = [];
  request.messages.forEach((message, index) => {
    const turn = turnOf(message, index, asked, (assistant) => assistantTurn(assistant, index, { context, names, ids }));
    asked = turn?.type === "assistant" ? turn.calls : [];
    if (turn) turns.push(turn);
  });
  return turns;
}

type AssistantMessage = Extract<Message, { role: "assistant" }>;

function turnOf(
  message: Message,
  index: number,
  asked: readonly VendorCall[],
  assistant: (message: AssistantMessage) => AssistantTurn | undefined,
): Turn | undefined {
  switch (message.role) {
    case "user":
      return userTurn(message, index);
    case "assistant":
      return assistant(message);
    case "results":
      return asked.length > 0 ? { type: "results", index, results: resultsOf(message.results, asked) } : undefined;
    default:
      return message satisfies never;
  }
}

function userTurn(message: Extract<Message, { role: "user" }>, index: number): UserTurn | undefined {
  const { text, images = [] } = message;
  if (isBlank(text) && images.length === 0) return undefined;
  return { type: "user", index, text: wellFormed(text), images };
}

interface Scope {
  readonly context: WireContext;
  readonly names: ToolNames;
  /** Those that are taken: vendors want them unique in a request. */
  readonly ids: Set<string>;
}

function assistantTurn(message: AssistantMessage, index: number, scope: Scope): AssistantTurn | undefined {
  const text = isBlank(message.text) ? null : wellFormed(message.text);
  if (text === null && message.calls.length === 0) return undefined;
  const continuation = ownContinuation(message.continuation, scope.context);
  const calls = message.calls.map((call, nth): VendorCall => {
    const id = idOf(continuation ? call.vendorId : undefined, mintedId(index, nth), scope.ids);
    return { id, name: scope.names.toVendor(call.name), arguments: wellFormed(call.arguments ?? {}), call };
  });
  return { type: "assistant", index, text, calls, ...(continuation ? { continuation } : {}) };
}

/** What one model signed is an error to another. */
function ownContinuation(
  continuation: Continuation | undefined,
  { provider, model }: WireContext,
): JsonObject | undefined {
  return continuation?.provider === provider && continuation.model === model ? continuation.data : undefined;
}

function idOf(vendorId: string | undefined, minted: string, taken: Set<string>): string {
  const id = vendorId && !taken.has(vendorId) ? vendorId : minted;
  taken.add(id);
  return id;
}

function resultsOf(results: readonly CallResult[], asked: readonly VendorCall[]): readonly VendorResult[] {
  const byCall = new Map<CallId, CallResult>(results.map((result) => [result.call, result]));
  return asked.map(({ id, name, call }) => {
    const { content = "", isError = false } = byCall.get(call.id) ?? {};
    return { id, name, content: isBlank(content) ? noOutput : wellFormed(content), isError };
  });
}

function isBlank(text: string | null): text is null | "" {
  return text === null || text.trim() === "";
}
