// grep: text in files, by a regular expression. Hidden files are counted over the whole folder and never opened. A worker
// thread searches, so that neither many files nor a pattern that explodes on one line keeps the process from other work.
import type { Clock, Tool } from "@harness/spec";
import { systemClock, ToolError } from "@harness/spec";
import { z } from "zod";
import { type Findings, searchFiles, stopNote } from "../search/search-files.js";
import { hiddenNote } from "../walk/hidden-note.js";
import { folderPath, glob } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const maxHits = 200;

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
  /** Times a search, which is stopped after 10 s. Default: the system's. */
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
    async look({ pattern, glob }, start, context) {
      compile(pattern);
      return { text: report(await searchFiles({ start, glob, pattern, maxShown: maxHits }, context, { clock })) };
    },
  });
}

function compile(pattern: string): void {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(`Could not search: ${why}. Mind that the u flag forbids needless escapes.`, { cause: error });
  }
}

function report(findings: Findings): string {
  const { lines, found, files, large, hidden } = findings;
  const more = found - lines.length;
  return [
    ...(lines.length > 0 ? lines : [`No hit in ${files} ${files === 1 ? "file" : "files"}.`]),
    ...(more > 0 ? [`(${more} more hits not shown: narrow the pattern, the glob or the path)`] : []),
    ...stopNote(findings),
    ...(large > 0 ? [`(${large} ${large === 1 ? "file" : "files"} over 5 MiB not searched)`] : []),
    ...hiddenNote(hidden, "files"),
  ].join("\n");
}
