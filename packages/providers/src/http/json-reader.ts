// A whole JSON body, as catalogues answer.

import { malformed } from "./classify.js";
import type { Reader } from "./reader.js";

/** In bytes. The largest public catalogue has about one. */
const maxBytes = 16 * 1024 * 1024;

export function jsonReader(provider: string): Reader<unknown> {
  const text = new TextDecoder("utf-8");
  let body = "";
  let size = 0;
  return {
    state: "open",
    usage: null,
    push(bytes) {
      size += bytes.length;
      if (size > maxBytes)
        throw malformed(provider, "too_long", `${provider} sent more than ${maxBytes} bytes of JSON.`);
      body += text.decode(bytes, { stream: true });
    },
    flush() {
      body += text.decode();
    },
    end() {
      try {
        return JSON.parse(body);
      } catch {
        throw malformed(provider, "bad_json", `${provider} did not answer with JSON. Check the base URL.`);
      }
    },
    close() {},
  };
}
