// A provider whose answers are kept. It is the one it wraps in everything but that, so a recorded run is the run it would have been.
import {
  type Completion,
  type CompletionRequest,
  findSecrets,
  type Provider,
  ProviderError,
  redactor,
} from "@harness/spec";
import { recordingFile } from "./recording-file.js";

export interface RecordOptions {
  /** Where to. Missing folders are made; only this user can read the file. Nothing is written before the first answer. */
  readonly path: string;
  /**
   * What to do with a file that is there. `append` goes on with a recording, as a resumed run must. Default: it is refused with
   * `ConfigError`.
   */
  readonly existing?: "append" | "replace";
  /** Variables whose secret values are kept out of the recording, as they are out of a run's log. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that hold secrets, beside those whose names say so. */
  readonly secrets?: readonly string[];
}

/**
 * `provider`, recording each completion with the request it answers. A completion settles once it is on disk, so what a run acted
 * on can be replayed even when its process was killed. Failures are not recorded: what to do about one is not the model's answer.
 *
 * An answer that cannot be recorded is a `ProviderError` (`request`), and nothing more is asked.
 */
export function record(provider: Provider, options: RecordOptions): Provider {
  const { path, existing, environment = process.env, secrets = [] } = options;
  const { name, model, endpoints, acceptsImages, models } = provider;
  const file = recordingFile({ path, existing, provider: name, model });
  const redact = redactor(findSecrets(environment, secrets));
  let failure: { readonly cause: unknown } | undefined;

  async function keep(request: CompletionRequest, completion: Completion): Promise<void> {
    try {
      const kept = redact.value({ request, completion }, JSON.stringify(request), JSON.stringify(completion));
      await file.append(kept.request, kept.completion);
    } catch (cause) {
      failure ??= { cause };
      throw unrecorded(name, path, cause, completion);
    }
  }

  return {
    ...{ spec: 1, name, endpoints },
    ...(model !== undefined && { model }),
    ...(acceptsImages !== undefined && { acceptsImages }),
    ...(models && { models: () => models.call(provider) }),
    async complete(request, asked) {
      if (failure) throw unrecorded(name, path, failure.cause);
      const completion = await provider.complete(request, asked);
      await keep(request, completion);
      return completion;
    },
  };
}

function unrecorded(provider: string, path: string, cause: unknown, completion?: Completion): ProviderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `An answer of ${provider} could not be recorded at ${path}: ${reason}. What was recorded until then is whole. Make the file writable and resume, or go on without recording.`;
  const usage = completion?.usage ?? undefined;
  return new ProviderError("request", provider, message, { cause, ...(usage && { usage }) });
}
