// find: files by name. Only names are looked at; what the policy hides is counted over the whole folder, whatever the glob,
// so that a count cannot be used to guess a name.
import type { Tool } from "@harness/spec";
import { z } from "zod";
import { globMatcher } from "../walk/glob.js";
import { hiddenNote } from "../walk/hidden-note.js";
import { walkFiles } from "../walk/walk-files.js";
import { folderPath, glob } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const maxNames = 1_000;

const input = z.strictObject({ glob, path: folderPath });

export type FindInput = z.infer<typeof input>;

/** The tool `find`. */
export function findTool(): Tool<FindInput> {
  return readingTool({
    name: "find",
    description:
      "Finds files by a glob on their name or path, in all folders below path; without a glob, every file. " +
      "Skips .git, node_modules, what .gitignore leaves out, and links. " +
      `Sorted by path; shows the first ${maxNames} and says how many more there are.`,
    input,
    async look(search, start, context) {
      const matches = await globMatcher(search.glob, start);
      const names: string[] = [];
      let [more, hidden] = [0, 0];
      for await (const file of walkFiles(start, context)) {
        if (!file.isVisible) hidden += 1;
        else if (!matches(file.place)) continue;
        else if (names.length < maxNames) names.push(file.place.target);
        else more += 1;
      }
      const found = names.length > 0 ? names : ["No file found."];
      const rest = more > 0 ? [`(${more} more not shown: narrow the glob or the path)`] : [];
      return { text: [...found, ...rest, ...hiddenNote(hidden, "files")].join("\n") };
    },
  });
}
