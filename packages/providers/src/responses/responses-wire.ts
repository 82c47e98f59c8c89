// The Responses API: input items instead of messages, and events about items instead of chunks.
import type { Effort } from "@harness/spec";
import type { Wire } from "../wire.js";
import { ResponsesDecoder } from "./decoder.js";
import { encodeResponses } from "./encode.js";

export interface ResponsesWireOptions {
  /** For requests that name no effort of their own. */
  readonly effort?: Effort | undefined;
}

export function responsesWire({ effort }: ResponsesWireOptions = {}): Wire {
  return {
    path: "/responses",
    encode: (request, context) => encodeResponses(request, { ...context, effort: request.effort ?? effort }),
    decoder: (context) => new ResponsesDecoder(context),
  };
}
