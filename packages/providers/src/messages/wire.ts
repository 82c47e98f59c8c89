// Anthropic's Messages API, which other vendors speak too.
import type { Effort } from "@harness/spec";
import type { Wire } from "../wire.js";
import { MessagesDecoder } from "./decode.js";
import { encodeRequest } from "./encode.js";

export interface MessagesWireOptions {
  /** For requests that name no effort of their own. */
  readonly effort?: Effort | undefined;
}

export function messagesWire({ effort }: MessagesWireOptions = {}): Wire {
  return {
    path: "/v1/messages",
    encode: (request, context) => encodeRequest(effort ? { effort, ...request } : request, context),
    decoder: (context) => new MessagesDecoder(context),
  };
}
