// edit_file: one passage of one file, found by its text. Everything outside the passage keeps its bytes.
import type { Tool } from "@harness/spec";
import { ToolError } from "@harness/spec";
import { z } from "zod";
import { writingTool } from "../change/writing-tool.js";
import { decode, encode } from "../text/decode.js";
import { inStyleOf } from "../text/line-endings.js";
import { filePath, text } from "./arguments.js";

const input = z.strictObject({
  path: filePath,
  search: text
    .min(1)
    .describe("The passage to replace, exactly as it is in the file, spaces included. It must occur exactly once."),
  replace: text.describe("What to put in its place. Empty text deletes the passage."),
});

export type EditFileInput = z.infer<typeof input>;

/** The tool `edit_file`. */
export function editFileTool(): Tool<EditFileInput> {
  return writingTool({
    name: "edit_file",
    description:
      "Replaces one passage of an existing text file. search must occur exactly once in it: take in enough of the lines " +
      "around to make it unique. Line endings need not match (LF finds CRLF) and stay as the file has them. " +
      "It cannot create a file: use write_file.",
    input,
    intend: (edit, current) => intended(edit, current),
    undo: (edit, after) => undone(edit, after),
  });
}

function intended({ path, search, replace }: EditFileInput, current: Uint8Array | null): Uint8Array {
  const attempt = `Could not edit ${JSON.stringify(path)}`;
  if (!current) throw new ToolError(`${attempt}: there is no such file. Create it with write_file.`);
  const found = decode(current);
  if (found.type === "binary") throw new ToolError(`${attempt}: it is not text (${found.kind}).`);
  const matches = occurrences(found.text, search);
  const [match] = matches;
  if (!match || matches.length > 1) throw new ToolError(`${attempt}: ${miscount(matches.length)}`);
  const before = found.text.slice(0, match.start);
  const after = found.text.slice(match.end);
  return encode(before + inStyleOf(found.text, match.start, replace) + after, found.encoding);
}

// Each guess is a whole file; a passage that occurs more often than this is not worth the search.
const maxGuesses = 100;

/** Every file that this edit could have turned into `after`, if they are few. */
function* undone({ search, replace }: EditFileInput, after: Uint8Array): Generator<Uint8Array> {
  const found = decode(after);
  if (found.type === "binary" || replace === "") return;
  const { text, encoding } = found;
  const matches = occurrences(text, replace);
  if (matches.length > maxGuesses) return;
  for (const { start, end } of matches) {
    yield encode(text.slice(0, start) + inStyleOf(text, start, search) + text.slice(end), encoding);
  }
}

function miscount(count: number): string {
  return count === 0
    ? "search occurs 0 times, it must occur exactly once. Read the file again; every space counts."
    : `search occurs ${count} times, it must occur exactly once. Take in more of the lines around the passage.`;
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/** Where `search` occurs in `text`, overlaps included, whichever line endings either has. */
function occurrences(text: string, search: string): readonly Match[] {
  const lines = search.split(/\r?\n/).map((line) => line.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // A bare LF is not one that ends a CRLF: else the search "\nx" would be found twice in "\r\nx".
  const pattern = new RegExp(lines.join("(?:\\r\\n|(?<!\\r)\\n)"), "g");
  const matches: Match[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    matches.push({ start: match.index, end: match.index + match[0].length });
    pattern.lastIndex = match.index + 1;
  }
  return matches;
}
