// Why an answer stopped, from the vendors' words for it. The order is the contract: an answer that was cut off is not asked to
// act on its calls, and one that calls tools stopped for them whatever the vendor says.
import type { StopReason } from "@harness/spec";

const words: Readonly<Record<Exclude<StopReason, "tool-calls" | "other">, ReadonlySet<string>>> = {
  length: new Set(["length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"]),
  "content-filter": new Set(["content_filter", "refusal", "sensitive"]),
  pause: new Set(["pause_turn"]),
  end: new Set(["stop", "end", "eos", "end_turn", "stop_sequence", "completed"]),
};

/** `finishReason` is the vendor's word, `null` when it gave none. */
export function stopOf(finishReason: string | null, hasCalls: boolean): StopReason {
  const word = finishReason ?? "";
  for (const stop of ["length", "content-filter", "pause"] as const) {
    if (words[stop].has(word)) return stop;
  }
  if (hasCalls) return "tool-calls";
  return words.end.has(word) ? "end" : "other";
}
