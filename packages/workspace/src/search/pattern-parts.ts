// A regular expression in its parts: just enough of its grammar to know what each part is. The pattern has compiled with the
// u flag, whose grammar is strict, so nothing here needs to be checked again.

export type PatternPart =
  /** Stands for exactly one character of the text; `character` is it where only one will do. */
  | { readonly type: "one"; readonly source: string; readonly character?: string }
  | { readonly type: "quantifier"; readonly source: string; readonly isOptional: boolean }
  /** `^`, `$`, `\b` and `\B`: of no width, and true or false by the characters on either side. */
  | { readonly type: "edge"; readonly source: string }
  | { readonly type: "open"; readonly source: string }
  | { readonly type: "close"; readonly source: string }
  | { readonly type: "or"; readonly source: string }
  /** Whatever looks around, refers back, changes flags, or is not known. */
  | { readonly type: "other"; readonly source: string };

const token = new RegExp(
  [
    /(?<other>\\k<[^>]*>|\\[1-9]\d*|\(\?(?!:|<[^=!]))/,
    /(?<edge>\\[bB]|[$^])/,
    // A class holds no unescaped bracket.
    /(?<set>\[(?:\\.|[^\]\\])*\])/,
    /(?<escape>\\(?:[pPu]\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|.))/,
    /(?<quantifier>(?:[*+?]|\{(?<least>\d+)(?:,\d*)?\})\??)/,
    /(?<open>\((?:\?:|\?<[^>]*>)?)/,
    /(?<close>\))/,
    /(?<or>\|)/,
    /(?<plain>.)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gsu",
);

/** The parts of `pattern`, in order; their sources joined are the pattern. */
export function patternParts(pattern: string): readonly PatternPart[] {
  return [...pattern.matchAll(token)].map(({ 0: source, groups = {} }) => partOf(source, groups));
}

function partOf(source: string, groups: Readonly<Record<string, string | undefined>>): PatternPart {
  if (groups.quantifier !== undefined) {
    const isOptional = source.startsWith("*") || source.startsWith("?") || Number(groups.least) === 0;
    return { type: "quantifier", source, isOptional };
  }
  if (groups.plain !== undefined && source !== ".") return { type: "one", source, character: source };
  // The escapes of letters and digits mean something else than the letter.
  if (groups.escape !== undefined && /^\\[^a-zA-Z0-9]$/.test(source)) {
    return { type: "one", source, character: source.slice(1) };
  }
  for (const type of ["other", "edge", "open", "close", "or"] as const) {
    if (groups[type] !== undefined) return { type, source };
  }
  return { type: "one", source };
}
