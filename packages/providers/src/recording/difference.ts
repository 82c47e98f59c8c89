// Where two requests part ways first, in words: what a reader needs to see why a replay has no answer.
import { type CompletionRequest, canonicalJson, isJsonObject } from "@harness/spec";

export interface Difference {
  /** `messages[2].results[0].content`. */
  readonly path: string;
  /** Excerpts around the first character that differs; `nothing` for what is not there. */
  readonly expected: string;
  readonly found: string;
}

/** In the order in which a request is read: what stays the same through a run comes before what was said. */
const order: readonly string[] = ["system", "tools", "messages"];

/** `undefined` when they say the same. */
export function firstDifference(expected: CompletionRequest, found: CompletionRequest): Difference | undefined {
  return between(plain(expected), plain(found), "");
}

function plain(value: unknown): unknown {
  return JSON.parse(canonicalJson(value));
}

function between(expected: unknown, found: unknown, path: string): Difference | undefined {
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    return firstOf(
      Array.from({ length }, (_, index) => index),
      (index) => between(expected[index], found[index], `${path}[${index}]`),
    );
  }
  if (isJsonObject(expected) && isJsonObject(found)) {
    const keys = new Set([...(path === "" ? order : []), ...Object.keys(expected), ...Object.keys(found)]);
    return firstOf([...keys], (key) => between(expected[key], found[key], path === "" ? key : `${path}.${key}`));
  }
  if (Object.is(expected, found)) return undefined;
  const from = typeof expected === "string" && typeof found === "string" ? commonLength(expected, found) : 0;
  return { path, expected: excerpt(expected, from), found: excerpt(found, from) };
}

function firstOf<Key>(keys: readonly Key[], differ: (key: Key) => Difference | undefined): Difference | undefined {
  for (const key of keys) {
    const difference = differ(key);
    if (difference) return difference;
  }
  return undefined;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const leadChars = 20;
const shownChars = 80;

/** `value` as JSON from a little before `from`, cut where it is long. */
export function excerpt(value: unknown, from = 0): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "string") return cut(JSON.stringify(value));
  const start = from > leadChars ? from - leadChars : 0;
  return `${JSON.stringify((start > 0 ? "…" : "") + cut(value.slice(start)))}`;
}

function cut(text: string): string {
  const shown = text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
  return shown.toWellFormed();
}
