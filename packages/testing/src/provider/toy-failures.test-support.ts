// What a vendor's refusal means, for the toy provider.
import type { ProviderErrorFacts, ProviderFailure } from "@harness/spec";

export type Facts = ProviderErrorFacts;

const kinds: Readonly<Record<number, ProviderFailure>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  408: "timeout",
  409: "server",
  413: "context-overflow",
  425: "server",
  429: "rate-limited",
  498: "rate-limited",
};

const words: readonly (readonly [RegExp, ProviderFailure])[] = [
  [/insufficient_quota/, "quota"],
  [/rate_limit/, "rate-limited"],
  [/tool_use_failed/, "malformed"],
  [/authentication/, "auth"],
  [/context_length|context length|too long|reduce the length|context size/, "context-overflow"],
  [/invalid_request/, "request"],
];

export function kindOfWords(text: string): ProviderFailure | undefined {
  return words.find(([pattern]) => pattern.test(text))?.[1];
}

export function kindOfStatus(status: number, text: string, hasWait: boolean): ProviderFailure {
  if (status === 402 && hasWait) return "rate-limited";
  if (status === 429 && kindOfWords(text) === "quota") return "quota";
  if (status === 400) return kindOfWords(text) ?? "request";
  return kinds[status] ?? (status >= 500 ? "server" : "request");
}

/** A vendor's words and its code, in whatever shape they come. */
export function said(text: string): { readonly message: string; readonly code: string } {
  if (text.trimStart().startsWith("<")) return { message: "a web page", code: "" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { message: "it did not say why", code: "" };
  }
  const outer = (Array.isArray(value) ? value[0] : value) ?? {};
  const { code, message, detail } = typeof outer.error === "object" ? (outer.error ?? {}) : outer;
  const found = [message, detail, outer.error].find((part) => typeof part === "string");
  return { message: found ?? "it did not say why", code: typeof code === "string" ? code : "" };
}

export function waitIn(status: number, headers: Headers, body: string): number | undefined {
  const [ms, text] = [headers.get("retry-after-ms"), headers.get("retry-after") ?? ""];
  if (ms !== null) return Number(ms);
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (/ GMT$/.test(text)) return Math.max(0, Date.parse(text) - Date.now());
  const delay = /"retryDelay":"([\d.]+)s"/.exec(body)?.[1];
  if (delay !== undefined) return Number(delay) * 1_000;
  const isReached = status === 429 && headers.get("x-ratelimit-remaining-requests") === "0";
  return isReached ? Number.parseFloat(headers.get("x-ratelimit-reset-requests") ?? "") * 1_000 : undefined;
}
