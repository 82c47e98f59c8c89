// The part of an AI SDK language model that is called, as a shape: whoever brings the model brings the SDK. Three versions of the
// specification are in use; they differ in how a picture is given and how usage and the reason to stop are told, and each says
// which it is.
import { ConfigError } from "@harness/spec";

/** A language model of the AI SDK, of specification `v2`, `v3` or `v4`. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  /** As in `openai.chat`. */
  readonly provider: string;
  readonly modelId: string;
  doStream(call: AiSdkCall): PromiseLike<{
    readonly stream: AiSdkStream;
    readonly response?: { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;
  }>;
}

/** What a model is called with. */
export interface AiSdkCall {
  // Mutable lists, because the SDK's own types are.
  readonly prompt: unknown[];
  readonly tools?: unknown[];
  readonly maxOutputTokens?: number;
  readonly responseFormat?: unknown;
  /** `v4` only. */
  readonly reasoning?: unknown;
  readonly providerOptions?: unknown;
  readonly abortSignal?: AbortSignal;
}

/** A web stream of parts, as far as it is read. */
export interface AiSdkStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

const versions = ["v2", "v3", "v4"] as const;

export type AiSdkVersion = (typeof versions)[number];

/** Throws `ConfigError` for what is no model, and for a model of a specification that is not known, by its name. */
export function versionOf(model: AiSdkModel): AiSdkVersion {
  const found: unknown = typeof model === "object" && model !== null ? model.specificationVersion : undefined;
  const known = versions.find((version) => version === found);
  if (known !== undefined && typeof model.doStream === "function") return known;
  const what =
    typeof model === "string"
      ? `${JSON.stringify(model)} is the name of a model, not a model`
      : `the model's specificationVersion is ${JSON.stringify(found) ?? "missing"}`;
  throw new ConfigError(
    `Could not set up aiSdk(): ${what}. Pass a language model of specification ${versions.join(", ")}, made by one of the AI SDK's providers.`,
    { path: ["model"] },
  );
}
