// The Chat Completions API: one encoder whose differences are data, and one decoder for every vendor that speaks it.
import type { Effort, JsonObject } from "@harness/spec";
import type { Wire } from "../wire.js";
import { ChatDecoder } from "./chat-decoder.js";
import { chatBody } from "./encode-body.js";
import { allQuirks, type Quirks } from "./quirks.js";

export interface ChatWireOptions {
  readonly quirks?: Quirks;
  /** For requests that name no effort of their own. */
  readonly effort?: Effort | undefined;
  /** Keys of the body that the vendor alone knows, behind all others. */
  readonly extra?: JsonObject;
}

export function chatWire(options: ChatWireOptions = {}): Wire {
  const quirks = allQuirks(options.quirks);
  const { effort, extra = {} } = options;
  return {
    path: "/chat/completions",
    encode: (request, context) => chatBody(request, context, { quirks, effort, extra }),
    decoder: (context) => new ChatDecoder(context, quirks.reasoningReplay),
  };
}
