// The pattern language: `*` is any run of characters, `/` and newline included, `?` is one code point, everything else is
// itself. A pattern covers the whole text or nothing of it. There is no regular expression underneath, because only the
// last star ever has to be tried again, so no pattern can make matching blow up.

export type Matcher = (text: string) => boolean;

const star = 0x2a;
const question = 0x3f;

/** A function that tells whether the whole of a text fits `pattern`. */
export function glob(pattern: string): Matcher {
  const tight = pattern.replace(/\*{2,}/g, "*");
  if (tight === "*") return () => true;
  if (!hasWildcard(tight)) return (text) => text === tight;
  return withOneStar(tight) ?? ((text) => fits(tight, text, false));
}

/** Most rules are `folder/*` or `*.ending`, and are asked about for every path that a walker visits. */
function withOneStar(pattern: string): Matcher | undefined {
  const [start = "", end, ...more] = pattern.split("*");
  if (end === undefined || more.length > 0 || pattern.includes("?")) return undefined;
  const shortest = start.length + end.length;
  return (text) => text.length >= shortest && text.startsWith(start) && text.endsWith(end);
}

export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*") || pattern.includes("?");
}

/** True only if every text that fits `inner` fits `outer` too. May be false where that holds but is not plain to see. */
export function covers(outer: string, inner: string): boolean {
  return fits(outer, inner, true);
}

/**
 * Two pointers over `pattern` and `text`. On a mismatch the latest star takes one code point more and the rest is tried
 * again from there; earlier stars never need a second look. With `overPattern`, `text` is itself a pattern: its star may
 * stand for many characters, so a `?` does not take it.
 */
function fits(pattern: string, text: string, overPattern: boolean): boolean {
  let at = 0;
  let inPattern = 0;
  let afterStar = -1;
  let retryAt = 0;
  while (at < text.length) {
    const token = pattern.charCodeAt(inPattern);
    const unit = text.charCodeAt(at);
    if (token === star) {
      inPattern += 1;
      afterStar = inPattern;
      retryAt = at;
    } else if (token === question && !(overPattern && unit === star)) {
      inPattern += 1;
      at += width(unit);
    } else if (token === unit) {
      inPattern += 1;
      at += 1;
    } else if (afterStar >= 0) {
      retryAt += width(text.charCodeAt(retryAt));
      at = retryAt;
      inPattern = afterStar;
    } else {
      return false;
    }
  }
  while (pattern.charCodeAt(inPattern) === star) inPattern += 1;
  return inPattern === pattern.length;
}

/** UTF-16 units of the code point that begins with `unit`. Texts are well-formed, so a high half is never alone. */
function width(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
}
