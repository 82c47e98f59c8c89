// read_file: a whole text file, the lines asked for, or a refusal that says how to go on. Never a shortened file: a model
// that takes a part for the whole writes the part back.
import type { Tool } from "@harness/spec";
import { ToolError } from "@harness/spec";
import { z } from "zod";
import { findFile } from "../paths/found-file.js";
import { decode, type Encoding } from "../text/decode.js";
import { codePoints, splitLines } from "../text/lines.js";
import { filePath } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const input = z.strictObject({
  path: filePath,
  offset: z.int().nonnegative().optional().describe("First line to read, counted from 1. Default: the first."),
  limit: z.int().positive().optional().describe("How many lines to read. Default: all that follow."),
});

export type ReadFileInput = z.infer<typeof input>;

export interface ReadFileOptions {
  /** Most Unicode code points that one call shows. Default 100,000. */
  readonly maxReadChars?: number;
}

/** The tool `read_file`. */
export function readFileTool({ maxReadChars = 100_000 }: ReadFileOptions = {}): Tool<ReadFileInput> {
  return readingTool({
    name: "read_file",
    description:
      "Shows a text file: the whole of it, or the lines from offset on. A file is never cut short: " +
      `what is longer than ${maxReadChars} characters is refused with the range to ask for instead. ` +
      "Binary files are refused by name. Folders are listed with list_dir.",
    input,
    async look(range, place, { signal }) {
      const attempt = `Could not read ${JSON.stringify(place.target)}`;
      const found = await findFile("read", place, { signal });
      if (!found) throw new ToolError(`${attempt}: there is no such file. Look with list_dir or find.`);
      const decoded = decode(found.bytes);
      if (decoded.type === "binary") {
        throw new ToolError(`${attempt}: it is not text but ${decoded.kind}, ${found.bytes.byteLength} bytes.`);
      }
      const lines = splitLines(decoded.text);
      const shown = cut(attempt, lines, range);
      checkLength(attempt, shown, { path: range.path, maxReadChars });
      return {
        text: header(place.target, decoded.encoding, shown, lines.length) + (shown.text || "(the file is empty)"),
      };
    },
  });
}

interface Shown {
  readonly text: string;
  readonly lines: readonly string[];
  /** Number of the first line. */
  readonly first: number;
  readonly isRange: boolean;
}

function cut(attempt: string, lines: readonly string[], { offset, limit }: ReadFileInput): Shown {
  const first = Math.max(1, offset ?? 1);
  if (first > Math.max(1, lines.length)) {
    throw new ToolError(`${attempt} from line ${first}: it has ${lines.length} lines.`);
  }
  const cut = lines.slice(first - 1, limit === undefined ? undefined : first - 1 + limit);
  const isRange = lines.length > 0 && (offset !== undefined || limit !== undefined);
  return { text: cut.join(""), lines: cut, first, isRange };
}

function header(name: string, encoding: Encoding, { lines, first, isRange }: Shown, total: number): string {
  const range = isRange ? `lines ${first}–${first - 1 + lines.length} of ${total}` : undefined;
  const notes = [range, encodingNotes[encoding]].filter((note) => note !== undefined);
  return notes.length === 0 ? "" : `${name}, ${notes.join(", ")}:\n`;
}

const encodingNotes: Readonly<Record<Encoding, string | undefined>> = {
  "utf-8": undefined,
  "utf-8-bom": "UTF-8 with a byte order mark",
  "utf-16le": "UTF-16, little-endian",
  "utf-16be": "UTF-16, big-endian",
};

function checkLength(
  attempt: string,
  { text, lines, first }: Shown,
  { path, maxReadChars }: { readonly path: string; readonly maxReadChars: number },
): void {
  const chars = codePoints(text);
  if (chars <= maxReadChars) return;
  const limit = linesWithin(lines, maxReadChars);
  const advice =
    limit === 0
      ? `Line ${first} alone is longer than that: look for what you need with grep.`
      : `Read a part: ${JSON.stringify({ path, offset: first, limit })}.`;
  throw new ToolError(
    `${attempt}: that is ${chars} characters in ${lines.length} lines, over the limit of ${maxReadChars}. ${advice}`,
  );
}

/** How many of `lines`, from the first, hold at most `maxChars` together. */
function linesWithin(lines: readonly string[], maxChars: number): number {
  let chars = 0;
  return lines.findIndex((line) => {
    chars += codePoints(line);
    return chars > maxChars;
  });
}
