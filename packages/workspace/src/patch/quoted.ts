// Lines as messages show them: in quotes, with nothing in them that a reader could not see.
import { excerpt } from "../text/lines.js";

const maxShown = 160;

/** `line` in quotes, around the character at `focus` when it is long. Tabs, odd spaces and invisible characters are escaped. */
export function quoted(line: string, focus = 0): string {
  return JSON.stringify(excerpt(line, focus, maxShown)).replace(/(?! )[\p{Z}\p{Cf}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
