// A language model of the AI SDK as a `Provider`. The SDK's provider speaks the wire and keeps the key; here its prompt is made and
// its stream is read. It is always asked for a stream, and never asked twice.
import {
  type Clock,
  type Completion,
  ConfigError,
  type Endpoint,
  type JsonObject,
  type KnownError,
  type Provider,
  systemClock,
} from "@harness/spec";
import { requestIdOf } from "../http/classify.js";
import { cancelledError, restated } from "../http/faults.js";
import { scrub } from "../http/scrub.js";
import { toolNames } from "../transcript/tool-names.js";
import { Answer } from "./answer.js";
import { callOf } from "./call.js";
import { failureFrom } from "./failures.js";
import { type AiSdkCall, type AiSdkModel, versionOf } from "./model.js";
import { eachPart } from "./parts.js";

export interface AiSdkOptions {
  /** What the model dials. It cannot be asked, so it has to be said: the net policy goes by it. */
  readonly endpoints: readonly Endpoint[];
  /** The label in the trace. Default: the model's `provider`. */
  readonly name?: string;
  /** Whether the model reads pictures. Default `true`. */
  readonly acceptsImages?: boolean;
  /** Handed to the model with every call: `{ openai: { reasoningEffort: "low" } }`. */
  readonly providerOptions?: JsonObject;
  /** Values that no error may show. The model keeps its key to itself, and a vendor may echo it. Default: none. */
  readonly secrets?: readonly string[];
}

/**
 * A provider that asks an AI SDK language model of specification `v2`, `v3` or `v4`. Deadlines are the model's own. Throws
 * `ConfigError` for a model of another specification. An effort reaches models of `v4`; for others it goes into `providerOptions`.
 *
 * @example
 * aiSdk(createOpenAICompatible({ name: "acme", baseURL })("acme-large"), { endpoints: [{ target: "api.acme.example:443" }] });
 */
export function aiSdk(model: AiSdkModel, options: AiSdkOptions): Provider {
  const version = versionOf(model);
  const { endpoints, name = model.provider, acceptsImages = true, providerOptions, secrets = [] } = options;
  const clock = systemClock();
  return {
    ...{ spec: 1, name, endpoints, model: model.modelId, acceptsImages },
    async complete(request, { signal, onDelta = () => {} }) {
      const context = { provider: name, model: model.modelId };
      const names = toolNames(request.tools);
      const call = callOf(request, { ...context, version, providerOptions });
      const answer = new Answer({
        ...{ ...context, names },
        onDelta: (delta) => {
          if (!signal.aborted) onDelta(delta);
        },
      });
      try {
        return await completion(answer, { model, call, signal, clock });
      } catch (error) {
        const known = signal.aborted ? cancelledError(name, signal) : failureFrom(name, error);
        throw withoutSecrets(known, secrets);
      }
    },
  };
}

function withoutSecrets(error: KnownError, secrets: readonly string[]): KnownError {
  if (error.code === "provider-failed") return restated(error, { secrets });
  return error.code === "config-invalid" ? new ConfigError(scrub(error.message, secrets), { path: error.path }) : error;
}

interface Asked {
  readonly model: AiSdkModel;
  readonly call: AiSdkCall;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

async function completion(answer: Answer, { model, call, signal, clock }: Asked): Promise<Completion> {
  const startedAt = clock.now();
  let ttftMs: number | null = null;
  const headers = await eachPart(model, { ...call, abortSignal: signal }, signal, (part) => {
    answer.push(part);
    if (ttftMs === null && answer.hasContent) ttftMs = clock.now() - startedAt;
  });
  const requestId = requestIdOf(headers);
  return { ...answer.end(), ttftMs, ...(requestId !== undefined && { requestId }) };
}
