// A recording as a provider. It dials nothing, and answers what was asked when it was recorded and nothing else: an answer to
// another question would be a run that never happened.
import {
  type Completion,
  type CompletionRequest,
  type Delta,
  findSecrets,
  type Provider,
  ProviderError,
  redactor,
} from "@harness/spec";
import { driftError } from "./drift.js";
import { type Exchange, readRecording } from "./format.js";
import { keyOf, numbered } from "./request-parts.js";

export interface ReplayOptions {
  /** What `record` wrote. Read once, here and now. */
  readonly path: string;
  /** The label in the trace. Default: the recorded provider's, so that a replayed run has the events of the recorded one. */
  readonly name?: string;
  /** As for `record`: a request is compared in the form in which it was recorded. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly secrets?: readonly string[];
}

/**
 * Answers from the recording at `path`. The same request twice in a row has the same answer; asked again after another one, it has
 * the next that was recorded for it, and the last one for ever. Text and reasoning come as one delta each.
 *
 * A request that was not recorded is a `ProviderError` (`request`) that names the first difference to the nearest one that was.
 * Throws `ConfigError` when there is no recording, or one that this version cannot read.
 */
export function replay(options: ReplayOptions): Provider {
  const { path, environment = process.env, secrets = [] } = options;
  const recording = readRecording(path);
  const { parts, model } = recording;
  const { name = recording.provider } = options;
  const redact = redactor(findSecrets(environment, secrets));
  const take = answers(recording.exchanges);

  function answer(request: CompletionRequest): Completion {
    const asked = redact.value(request, JSON.stringify(request));
    const numbers = numbered(asked, (part) => parts.find(part));
    const completion = take(keyOf(numbers));
    if (completion) return completion;
    throw driftError({ provider: name, path, recording, asked, numbers });
  }

  return {
    ...{ spec: 1, name, endpoints: [], acceptsImages: true },
    ...(model !== undefined && { model }),
    async complete(request, { signal, onDelta }) {
      if (signal.aborted) throw cancelled(name, signal);
      const completion = answer(request);
      show(completion, onDelta);
      return completion;
    },
  };
}

/** Gives the answer for a key. Whoever asks again without having asked anything else has lost the answer, not used it. */
function answers(exchanges: readonly Exchange[]): (key: string) => Completion | undefined {
  const byKey = answersByKey(exchanges);
  const given = new Map<string, number>();
  let latest: string | undefined;
  return (key) => {
    const recorded = byKey.get(key);
    if (!recorded) return undefined;
    const nth = (given.get(key) ?? -1) + (key === latest ? 0 : 1);
    latest = key;
    given.set(key, nth);
    return recorded[Math.min(nth, recorded.length - 1)];
  };
}

/** Of answers to the same question in a row, the last is the one that the recorded run went on with. */
function answersByKey(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Completion[]> {
  const byKey = new Map<string, Completion[]>();
  let latest: string | undefined;
  for (const { request, completion } of exchanges) {
    const key = keyOf(request);
    const recorded = byKey.get(key) ?? [];
    if (key === latest) recorded.pop();
    recorded.push(completion);
    byKey.set(key, recorded);
    latest = key;
  }
  return byKey;
}

function show({ text, reasoning }: Completion, onDelta: ((delta: Delta) => void) | undefined): void {
  if (reasoning) onDelta?.({ type: "reasoning", text: reasoning });
  if (text) onDelta?.({ type: "text", text });
}

function cancelled(provider: string, signal: AbortSignal): ProviderError {
  return new ProviderError("cancelled", provider, "The completion was cancelled before it was replayed.", {
    cause: signal.reason,
  });
}
