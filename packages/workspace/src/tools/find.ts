// find: files by name. Only names are looked at; what the policy hides is counted over the whole folder, whatever the glob,
// so that a count cannot be used to guess a name.
import { systemClock, type Tool } from "@harness/spec";
import { z } from "zod";
import { searchFiles, stopNote } from "../search/search-files.js";
import { hiddenNote } from "../walk/hidden-note.js";
import { folderPath, glob } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const maxNames = 1_000;

const input = z.strictObject({ glob, path: folderPath });

export type FindInput = z.infer<typeof input>;

/** The tool `find`. */
export function findTool(): Tool<FindInput> {
  const clock = systemClock();
  return readingTool({
    name: "find",
    description:
      "Finds files by a glob on their name or path, in all folders below path; without a glob, every file. " +
      "Skips .git, node_modules, what .gitignore leaves out, and links. " +
      `Sorted by path; shows the first ${maxNames} and says how many more there are.`,
    input,
    async look({ glob }, start, context) {
      const findings = await searchFiles({ start, glob, pattern: undefined, maxShown: maxNames }, context, { clock });
      const { lines, found, hidden } = findings;
      const more = found - lines.length;
      return {
        text: [
          ...(lines.length > 0 ? lines : ["No file found."]),
          ...(more > 0 ? [`(${more} more not shown: narrow the glob or the path)`] : []),
          ...stopNote(findings),
          ...hiddenNote(hidden, "files"),
        ].join("\n"),
      };
    },
  });
}
