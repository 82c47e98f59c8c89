// Reads the vendor stream corpus in words of the port. What the port has no word for (citations, tools that the vendor runs) is
// left out of what is expected; INDEX.md says what the files are, NOTICE.md where they come from.
import { readdirSync, readFileSync } from "node:fs";
import type { Completion, JsonObject, ProposedCall, ProviderFailure, StopReason, Usage } from "@harness/spec";
import { createParser } from "eventsource-parser";

const corpus = new URL("./vendor-streams/", import.meta.url);

export type VendorApi = "anthropic-messages" | "openai-chat" | "openrouter-chat" | "openai-responses";

/** What a completion must hold, whoever measured its time. */
export type ExpectedCompletion = Pick<
  Completion,
  "text" | "calls" | "reasoning" | "usage" | "model" | "finishReason" | "stop"
>;

export interface ExpectedFailure {
  readonly kind: ProviderFailure;
  readonly isRetryable: boolean;
  readonly vendorCode: string;
  readonly retryAfterMs: number | undefined;
  /** What had been streamed when the error struck, `null` for nothing. */
  readonly streamed: string | null;
}

export interface VendorCase {
  /** `anthropic/text`. */
  readonly name: string;
  readonly api: VendorApi;
  /**
   * `chunks`: payloads of events, to be framed. `sse`: the bytes of a stream. `json`: the body of a success that was not
   * streamed. `error-body`: the body of a failure, whose status and headers are in `http`.
   */
  readonly encoding: "chunks" | "sse" | "json" | "error-body";
  /** How the vendor frames `chunks`: whether events are named by their type, and whether `[DONE]` ends the stream. */
  readonly framing: { readonly isNamed: boolean; readonly isDone: boolean };
  readonly http: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
  /** The file's text, unchanged. */
  body(): string;
  /** The `data` of each event of a stream, the vendor's `[DONE]` included. For a body that is no stream: that body. */
  payloads(): readonly string[];
  readonly expected:
    | { readonly type: "completion"; readonly completion: ExpectedCompletion }
    | { readonly type: "failure"; readonly failure: ExpectedFailure };
}

/** Every case of an API, in a fixed order. */
export function vendorCases(api: VendorApi): readonly VendorCase[] {
  return manifest()
    .map(({ expected }) => caseOf(expected))
    .filter((item) => item.api === api);
}

/** The name of every recording in the corpus, whether or not its manifest lists it. */
export function corpusNames(): readonly string[] {
  const recording = /\.(chunks\.txt|sse|body\.json|error\.json)$/;
  return readdirSync(corpus, { recursive: true, encoding: "utf8" })
    .filter((file) => recording.test(file))
    .map((file) => file.replaceAll("\\", "/").replace(recording, ""));
}

/** The events of a stream's text. */
function eventsOf(stream: string): readonly string[] {
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  parser.feed(`${stream.replace(/^\uFEFF/, "")}\n\n`);
  return found;
}

function caseOf(path: string): VendorCase {
  const written = JSON.parse(read(path)) as Written;
  const file = `${written.vendor}/${written.fixture}`;
  const isDone = written.framing?.done ?? false;
  const body = () => read(file);

  return {
    name: path.replace(".expected.json", ""),
    api: written.api,
    encoding: written.encoding,
    framing: { isNamed: written.framing?.eventNames === "from-type", isDone },
    http: written.http ?? { status: 200, headers: {} },
    body,
    payloads: () => {
      if (written.encoding === "sse") return eventsOf(body());
      if (written.encoding !== "chunks") return [body()];
      return [...body().trimEnd().split("\n"), ...(isDone ? ["[DONE]"] : [])];
    },
    expected: expectedOf(written),
  };
}

function expectedOf({ response, error, partial }: Written): VendorCase["expected"] {
  if (response) return { type: "completion", completion: completionOf(response) };
  if (!error) throw new Error("A case of the corpus expects neither a response nor an error.");
  const { kind, retryable, code, retryAfterMs } = error;
  return {
    type: "failure",
    failure: {
      kind: kind.replaceAll("_", "-") as ProviderFailure,
      isRetryable: retryable,
      vendorCode: code,
      retryAfterMs: retryAfterMs ?? undefined,
      streamed: partial?.text ?? null,
    },
  };
}

function completionOf({ toolCalls, usage, stop, text, reasoning, model, finishReason }: WrittenResponse) {
  return {
    text,
    reasoning,
    model,
    finishReason,
    stop: stop.replaceAll("_", "-") as StopReason,
    calls: toolCalls.map(callOf),
    usage: usage && usageOf(usage),
  };
}

function callOf({ id, ...call }: WrittenResponse["toolCalls"][number]): ProposedCall {
  return { ...call, ...(id !== null && { vendorId: id }) };
}

function usageOf({ serverToolRequests: _, ...usage }: Usage & { readonly serverToolRequests: number }): Usage {
  return usage;
}

function manifest(): readonly { readonly expected: string }[] {
  return JSON.parse(read("manifest.json"));
}

function read(file: string): string {
  return readFileSync(new URL(file, corpus), "utf8");
}

/** An `.expected.json`, as far as it is read. */
interface Written {
  readonly fixture: string;
  readonly vendor: string;
  readonly api: VendorApi;
  readonly encoding: VendorCase["encoding"];
  readonly framing?: { readonly eventNames: string; readonly done: boolean };
  readonly http?: VendorCase["http"];
  readonly response?: WrittenResponse;
  readonly error?: {
    readonly kind: string;
    readonly retryable: boolean;
    readonly code: string;
    readonly retryAfterMs?: number | null;
  };
  readonly partial?: { readonly text: string | null };
}

interface WrittenResponse {
  readonly text: string | null;
  readonly toolCalls: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly arguments: JsonObject | null;
    readonly invalidArguments?: string;
  }[];
  readonly reasoning: string | null;
  readonly usage: (Usage & { readonly serverToolRequests: number }) | null;
  readonly model: string | null;
  readonly finishReason: string | null;
  readonly stop: string;
}
