// Looks for a pattern in the bytes of one file. What it finds is what `searchText` finds line by line in `searchableText`; it
// only avoids decoding what cannot have a hit, and taking apart what has none.
import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { patternFacts } from "./pattern-facts.js";
import { binaryHead, type Hit, hitIn, searchText } from "./search-text.js";

/** The hits in a file's bytes, or `undefined` when they are not text. */
export type Matcher = (bytes: Uint8Array) => readonly Hit[] | undefined;

/** A place at or behind `from` in `text`, so that no line in between has a hit; -1 when there is none. */
type NextPlace = (text: string, from: number) => number;

const none: readonly Hit[] = [];
const byteOrderMark = 0xfeff;

/** The search for `pattern`, which compiles with the u flag. */
export function matcherOf(pattern: string): Matcher {
  const expression = new RegExp(pattern, "u");
  const { literal, anywhere } = patternFacts(pattern);
  const needle = literal === undefined ? undefined : Buffer.from(literal);
  const next = nextPlace(literal, anywhere);
  return (bytes) => {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.subarray(0, binaryHead).includes(0)) return undefined;
    const isPlain = isAscii(view);
    if (!isPlain && !isUtf8(view)) return undefined;
    if (needle && !view.includes(needle)) return none;
    const text = isPlain ? view.toString("latin1") : decoded(view);
    return next ? searchPlaces(text, expression, next) : searchText(text, expression);
  };
}

function nextPlace(literal: string | undefined, anywhere: RegExp | undefined): NextPlace | undefined {
  if (literal !== undefined) return (text, from) => text.indexOf(literal, from);
  if (!anywhere) return undefined;
  return (text, from) => {
    anywhere.lastIndex = from;
    return anywhere.exec(text)?.index ?? -1;
  };
}

/** As a decoder gives it: a byte order mark is no part of the text. */
function decoded(view: Buffer): string {
  const text = view.toString("utf8");
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

/** `searchText` on the lines that are worth it. */
function searchPlaces(text: string, expression: RegExp, next: NextPlace): readonly Hit[] {
  const hits: Hit[] = [];
  let [number, start] = [1, 0];
  while (start < text.length) {
    const place = next(text, start);
    if (place === -1) break;
    let end = endOfLine(text, start);
    for (; end <= place && end < text.length; number += 1) {
      start = end;
      end = endOfLine(text, start);
    }
    const hit = hitIn(lineBetween(text, start, end), number, expression);
    if (hit) hits.push(hit);
    start = end;
    number += 1;
  }
  return hits;
}

/** Where the line that begins at `start` ends, its line feed included. */
function endOfLine(text: string, start: number): number {
  const feed = text.indexOf("\n", start);
  return feed === -1 ? text.length : feed + 1;
}

function lineBetween(text: string, start: number, end: number): string {
  if (text[end - 1] !== "\n") return text.slice(start, end);
  return text.slice(start, text[end - 2] === "\r" && end - 2 >= start ? end - 2 : end - 1);
}
