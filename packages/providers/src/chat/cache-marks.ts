// Where a vendor's cache is told that what stands before stays the same: behind the system text, and behind the last user
// message of what the caller vouches for. Never more than these two, and never without the caller's word.
import type { CompletionRequest } from "@harness/spec";
import type { Turn } from "../transcript/transcript.js";

export interface CacheMarks {
  readonly system?: boolean;
  /** The index, in the request, of the message that is marked. */
  readonly message?: number;
}

/** None for a `cacheThrough` that is out of bounds: a hint must not break a run. */
export function cacheMarks(turns: readonly Turn[], request: CompletionRequest): CacheMarks {
  const { cacheThrough = 0, messages } = request;
  if (!(cacheThrough > 0 && cacheThrough <= messages.length)) return {};
  const last = turns.findLast((turn) => turn.type === "user" && turn.index < cacheThrough && turn.text !== "");
  return last ? { system: true, message: last.index } : { system: true };
}
