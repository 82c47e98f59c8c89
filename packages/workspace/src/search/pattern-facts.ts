// What can be told of a pattern before any text is looked at, so that most files need not be searched line by line. Each fact
// is a promise about the answer that the search by lines gives: wrong facts lose hits.
import { type PatternPart, patternParts } from "./pattern-parts.js";

export interface PatternFacts {
  /** Every line with a hit holds this. */
  readonly literal?: string;
  /**
   * Finds, in a whole text, a place on every line that has a hit, and perhaps on others. It never reaches over a line feed, so
   * it takes no longer than the search by lines. Global: `lastIndex` is to be set.
   */
  readonly anywhere?: RegExp;
}

/** The facts about `pattern`, which compiles with the u flag. */
export function patternFacts(pattern: string): PatternFacts {
  const parts = patternParts(pattern);
  const literal = longestLiteral(parts);
  const anywhere = withinLines(parts);
  return { ...(literal ? { literal } : {}), ...(anywhere ? { anywhere } : {}) };
}

/** The longest run of characters that no way through the pattern goes around. Groups are passed over. */
function longestLiteral(parts: readonly PatternPart[]): string | undefined {
  const runs = [""];
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    const isOutside = depth === 0;
    if (isOutside && part.type === "or") return undefined;
    if (part.type === "open" || (part.type === "other" && part.source.startsWith("("))) depth += 1;
    if (part.type === "close") depth -= 1;
    if (!isOutside || part.type === "edge") continue;
    const next = parts[index + 1];
    const quantifier = next?.type === "quantifier" ? next : undefined;
    if (part.type === "one" && part.character !== undefined && !quantifier?.isOptional) {
      runs.push(`${runs.pop()}${part.character}`);
    } else {
      runs.push("");
    }
  }
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best));
  // Half of a surrogate pair is in no text, and has no bytes.
  return longest !== "" && longest.isWellFormed() ? longest : undefined;
}

/**
 * The pattern for a whole text: edges also hold at line ends (m), and no part takes a line feed, which no line has. A match on a
 * line alone is then a match in the text, step by step. Not so where a failure counts, or what an earlier group took.
 */
function withinLines(parts: readonly PatternPart[]): RegExp | undefined {
  if (parts.some(({ type }) => type === "other")) return undefined;
  return new RegExp(parts.map(onOneLine).join(""), "gmu");
}

/** The part's source, changed where it would take a line feed. */
function onOneLine(part: PatternPart): string {
  const { source } = part;
  if (part.type !== "one" || !takesLineFeed(part)) return source;
  return source.startsWith("[^") ? `[^\\n${source.slice(2)}` : `(?:(?!\\n)${source})`;
}

function takesLineFeed({ source, character }: Extract<PatternPart, { readonly type: "one" }>): boolean {
  return character === undefined ? new RegExp(source, "u").test("\n") : character === "\n";
}
