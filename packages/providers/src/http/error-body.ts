// The shapes in which vendors say what went wrong, read without ever throwing: an error about an error helps nobody.
import { type Fields, isFields } from "../payload/fields.js";
import { excerpt, scrub } from "./scrub.js";

export interface ErrorBody {
  /** The vendor's most specific code, verbatim. */
  readonly code: string | undefined;
  /** Every code and type, in lower case, the most specific first. */
  readonly words: readonly string[];
  /** An excerpt, without keys and without markup. */
  readonly message: string;
  /** An HTTP status that stands in the body. */
  readonly status: number | undefined;
  /** Google's details, where a wait may be. */
  readonly details: readonly unknown[];
  readonly requestId: string | undefined;
}

/** Reads the text of a failed answer: JSON in one of many shapes, a web page, plain words, or nothing. */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed === "") return plain("the answer has no body");
  if (trimmed.startsWith("<")) return plain(describePage(trimmed));
  const value = parsed(trimmed);
  return value === undefined ? plain(trimmed) : readErrorValue(value);
}

/** Reads what a payload or a body holds: `{ error: { … } }`, `{ error: "…" }`, `{ message }`, `{ detail }`, a list of these, words. */
export function readErrorValue(value: unknown): ErrorBody {
  const outer = Array.isArray(value) ? value[0] : value;
  if (typeof outer === "string") return outer.trim() === "" ? plain("it did not say why") : plain(outer);
  if (!isFields(outer)) return plain("it did not say why");
  const requestId = typeof outer.request_id === "string" ? outer.request_id : undefined;
  if (typeof outer.error === "string") return fromFields({ ...outer, message: outer.error }, requestId);
  return fromFields(isFields(outer.error) ? outer.error : outer, requestId);
}

function fromFields(error: Fields, requestId: string | undefined): ErrorBody {
  const candidates = [error.code, error.type, error.status];
  // `type: "error"` says that this is an error, and nothing of which.
  const names = candidates.filter(
    (item): item is string => typeof item === "string" && item !== "" && item !== "error",
  );
  const code = names[0] ?? (typeof error.code === "number" ? String(error.code) : undefined);
  return {
    code: code === undefined ? undefined : scrub(code, []).slice(0, 200),
    words: names.map((name) => name.toLowerCase()),
    message: clean(messageOf(error)),
    status: statusIn(error.code) ?? statusIn(error.status),
    details: Array.isArray(error.details) ? error.details : [],
    requestId,
  };
}

/** A gateway's own words are "Provider returned error"; what the upstream said stands in `metadata.raw`, maybe as JSON in text. */
function messageOf(error: Fields): string {
  const upstream = upstreamMessage(error.metadata);
  if (upstream !== undefined) return upstream;
  for (const said of [error.message, error.detail]) {
    if (typeof said === "string" && said.trim() !== "") return said;
  }
  return Object.keys(error).length === 0 ? "it did not say why" : JSON.stringify(error);
}

function upstreamMessage(metadata: unknown): string | undefined {
  if (!isFields(metadata)) return undefined;
  const raw = typeof metadata.raw === "string" ? (parsed(metadata.raw) ?? metadata.raw) : metadata.raw;
  if (raw === undefined || raw === null || raw === "") return undefined;
  const name = typeof metadata.provider_name === "string" ? `${metadata.provider_name}: ` : "";
  return `${name}${readErrorValue(raw).message}`;
}

function statusIn(code: unknown): number | undefined {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === "number" && status >= 300 && status < 600 ? status : undefined;
}

function plain(text: string): ErrorBody {
  return {
    code: undefined,
    words: [],
    message: clean(text),
    status: undefined,
    details: [],
    requestId: undefined,
  };
}

function describePage(html: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return title ? `a web page instead of JSON ("${title}")` : "a web page instead of JSON";
}

function clean(text: string): string {
  return excerpt(scrub(text, []));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
