// One event's text as an object. Keep-alives of proxies come in many forms and are passed over; the beginning of an object that
// does not parse is part of an answer that is lost.
import { isJsonObject, type JsonObject } from "@harness/spec";
import { malformed } from "../http/classify.js";
import type { Decoder } from "../wire.js";

/**
 * `undefined` for what is no object. Throws `ProviderError` (`malformed`, `bad_json`), with what `decoder` has counted, for an
 * object that is cut or damaged.
 */
export function parsedPayload(
  payload: string,
  provider: string,
  decoder: Pick<Decoder, "usage">,
): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    if (!payload.trimStart().startsWith("{")) return undefined;
    throw malformed(
      provider,
      "bad_json",
      `Could not read the answer of ${provider}: an event of its stream is not whole JSON. Ask again.`,
      decoder.usage,
    );
  }
  return isJsonObject(value) ? value : undefined;
}
