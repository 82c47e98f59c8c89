// grep: text in files, by a regular expression. Hidden files are counted over the whole folder and never opened. The
// time limit is looked at between files: a pattern that explodes on one line holds the process until that line is done.
import type { Clock, Tool, ToolContext } from "@harness/spec";
import { systemClock, ToolError } from "@harness/spec";
import { z } from "zod";
import { openExact, readFlags } from "../paths/open-exact.js";
import type { Place } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";
import { globMatcher } from "../walk/glob.js";
import { hiddenNote } from "../walk/hidden-note.js";
import { searchableText, searchText } from "../walk/search-text.js";
import { walkFiles } from "../walk/walk-files.js";
import { folderPath, glob } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const maxHits = 200;
const maxFileBytes = 5 * 1024 * 1024;
const maxSearchMs = 10_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe("A JavaScript regular expression with the u flag, matched against one line at a time, case-sensitive."),
  glob,
  path: folderPath.describe("Folder or file to search, relative to the workspace root. Default: the workspace root."),
});

export type GrepInput = z.infer<typeof input>;

export interface GrepOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The tool `grep`. */
export function grepTool({ clock = systemClock() }: GrepOptions = {}): Tool<GrepInput> {
  return readingTool({
    name: "grep",
    description:
      "Searches the text of files for a regular expression, in all folders below path. Each hit is path:line: text. " +
      "Skips .git, node_modules, what .gitignore leaves out, links, binary files and files over 5 MiB. " +
      `Sorted by path; shows the first ${maxHits} hits and says how many more there are.`,
    input,
    look: async (search, start, context) => ({ text: report(await searchFiles(search, start, context, clock)) }),
  });
}

interface Findings {
  readonly shown: readonly string[];
  readonly hits: number;
  readonly files: number;
  readonly hidden: number;
  readonly large: number;
  /** Where the time ran out. */
  readonly stoppedAt: string | undefined;
}

async function searchFiles(search: GrepInput, start: Place, context: ToolContext, clock: Clock): Promise<Findings> {
  const pattern = compile(search.pattern);
  const matches = await globMatcher(search.glob, start);
  const endsAt = clock.now() + maxSearchMs;
  const shown: string[] = [];
  let [hits, files, hidden, large] = [0, 0, 0, 0];
  for await (const { place, isVisible } of walkFiles(start, context)) {
    if (!isVisible) hidden += 1;
    if (!isVisible || !matches(place)) continue;
    if (clock.now() >= endsAt) return { shown, hits, files, hidden, large, stoppedAt: place.target };
    const text = await textOf(place);
    if (text === "too large") large += 1;
    if (text === undefined || text === "too large") continue;
    files += 1;
    const found = searchText(text.content, pattern);
    hits += found.length;
    const room = found.slice(0, maxHits - shown.length);
    shown.push(...room.map((hit) => `${place.target}:${hit.line}: ${hit.text}`));
  }
  return { shown, hits, files, hidden, large, stoppedAt: undefined };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(`Could not search: ${why}. Mind that the u flag forbids needless escapes.`, { cause: error });
  }
}

/** `undefined` for what is not text, and for what vanished or may not be read. */
async function textOf(place: Place): Promise<{ content: string } | "too large" | undefined> {
  try {
    const handle = await openExact(place.root, place.absolute, readFlags);
    if (!handle) return undefined;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return undefined;
      if (stats.size > maxFileBytes) return "too large";
      const content = searchableText(await handle.readFile());
      return content === undefined ? undefined : { content };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function report({ shown, hits, files, hidden, large, stoppedAt }: Findings): string {
  const more = hits - shown.length;
  return [
    ...(shown.length > 0 ? shown : [`No hit in ${files} ${files === 1 ? "file" : "files"}.`]),
    ...(more > 0 ? [`(${more} more hits not shown: narrow the pattern, the glob or the path)`] : []),
    ...(stoppedAt
      ? [
          `(stopped after ${maxSearchMs / 1000} s at ${stoppedAt}; ${files} files were searched: narrow the glob or the path)`,
        ]
      : []),
    ...(large > 0 ? [`(${large} ${large === 1 ? "file" : "files"} over 5 MiB not searched)`] : []),
    ...hiddenNote(hidden, "files"),
  ].join("\n");
}
