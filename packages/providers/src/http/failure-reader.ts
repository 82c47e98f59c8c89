// The body of an answer whose status is not a success. It settles with what has come, be it cut off: the status alone says enough.
import { statusError } from "./classify.js";
import type { Reader } from "./reader.js";
import { scrub } from "./scrub.js";

/** Longest part that is read, in characters. */
const maxLength = 64 * 1024;

interface FailedHead {
  readonly provider: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Epoch ms. */
  readonly nowMs: number;
}

/** A reader whose `end` always throws. */
export function failureReader({ secrets, ...head }: FailedHead): Reader<never> {
  const text = new TextDecoder();
  let body = "";
  return {
    get state() {
      return body.length < maxLength ? "finished" : "done";
    },
    usage: null,
    push(bytes) {
      body += text.decode(bytes, { stream: true });
    },
    flush() {},
    end() {
      throw statusError({ ...head, body: scrub(body.slice(0, maxLength), secrets) });
    },
    close() {},
  };
}
