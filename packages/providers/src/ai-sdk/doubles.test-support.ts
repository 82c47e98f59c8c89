// Models by hand, of each version of the specification, for tests: they play parts and keep what they were called with.
import type { CompletionRequest, Delta, Provider } from "@harness/spec";
import type { AiSdkCall, AiSdkModel } from "./model.js";

export interface Double extends AiSdkModel {
  readonly calls: readonly AiSdkCall[];
}

export type Version = "v2" | "v3" | "v4";

/** Plays `parts`; an `Error` among them breaks the stream. */
export function double(specificationVersion: string, parts: readonly unknown[] = []): Double {
  const calls: AiSdkCall[] = [];
  return {
    specificationVersion,
    provider: "acme.chat",
    modelId: "acme-1",
    calls,
    async doStream(call) {
      calls.push(call);
      return { stream: streamOf(parts), response: { headers: { "x-request-id": "request-7" } } };
    },
  };
}

export function streamOf(parts: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) {
        if (part instanceof Error) return controller.error(part);
        controller.enqueue(part);
      }
      controller.close();
    },
  });
}

/** The last part of an answer, as each version words it. */
export function finish(version: Version, reason = "stop"): object {
  const finishReason = version === "v2" ? reason : { unified: reason, raw: `raw_${reason}` };
  const flat = { inputTokens: 30, outputTokens: 9, totalTokens: 39, reasoningTokens: 4, cachedInputTokens: 20 };
  const grouped = {
    inputTokens: { total: 30, noCache: 8, cacheRead: 20, cacheWrite: 2 },
    outputTokens: { total: 9, text: 5, reasoning: 4 },
  };
  return { type: "finish", finishReason, usage: version === "v2" ? flat : grouped };
}

export function asking(request: Partial<CompletionRequest> = {}): CompletionRequest {
  return { system: "Be brief.", messages: [{ role: "user", text: "Go on." }], tools: [], ...request };
}

export interface Watched {
  readonly deltas: readonly Delta[];
  readonly options: Parameters<Provider["complete"]>[1];
}

/** Options for one completion, and what it told its watcher. */
export function heard(): Watched {
  const deltas: Delta[] = [];
  const onDelta = (delta: Delta) => void deltas.push(delta);
  return { deltas, options: { signal: new AbortController().signal, onDelta } };
}
