// A small reader of the profile language, as the tests want it: words, strings, patterns and parentheses, so that they can say what
// a profile is made of without believing the code that made it.

export interface ReadProfile {
  /** Everything in order, `str` and `pat` in place of strings and patterns. */
  readonly shape: string;
  readonly strings: readonly string[];
  readonly patterns: readonly string[];
  /** Open parentheses at the end; negative when one too many was closed on the way. */
  readonly depth: number;
}

export function readProfile(text: string): ReadProfile {
  const shape: string[] = [];
  const read = { strings: [] as string[], patterns: [] as string[] };
  let [at, depth] = [0, 0];
  while (at < text.length && depth >= 0) {
    const rest = text.slice(at);
    const pattern = /^#"([^"]*)"/.exec(rest);
    const string = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
    const word = /^[^\s()"]+/.exec(rest);
    const token = pattern ?? string ?? word;
    if (pattern) read.patterns.push(pattern[1] as string);
    else if (string) read.strings.push(string[1] as string);
    if (token) shape.push(pattern ? "pat" : string ? "str" : token[0]);
    else if (/[()]/.test(rest[0] as string)) shape.push(rest[0] as string);
    if (rest[0] === "(") depth += 1;
    if (rest[0] === ")") depth -= 1;
    at += token ? token[0].length : 1;
  }
  return { shape: shape.join(" "), ...read, depth };
}
