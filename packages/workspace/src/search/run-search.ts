// One search, as the worker makes it: synchronously, in the order of paths. Of the policy it knows only the answers.
import { posix } from "node:path";
import type { Place } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";
import { globMatcher } from "../walk/glob.js";
import { calledFrom, under } from "../walk/names.js";
import { folderOpener, type OpenFolderAt } from "../walk/open-folder.js";
import { type Look, lookAtNames, lookInside } from "./look.js";
import type { Failure, Search } from "./messages.js";
import type { Progress } from "./progress.js";
import { type MainThread, questionsTo } from "./questions.js";
import { reportTo } from "./report.js";
import { type SeenFiles, seenFiles } from "./seen-files.js";

/** Searches. What it finds goes to `main` and into `progress`; what is returned says why the search ended early, if it did. */
export function runSearch(search: Search, main: MainThread, progress: Progress): Failure | undefined {
  const { start, isFolder, glob } = search;
  const openAt = folderOpener(start.root);
  const matches = globMatcher(glob, start);
  const look = lookOf(search, openAt, main, progress);
  try {
    if (isFolder && !isThere(openAt, start.absolute)) return { type: "exchanged" };
    const walked = isFolder ? seenFiles(start, openAt, questionsTo(main)) : [onlyFile(start)];
    for (const { folder, names, hidden } of walked) {
      progress.add("hidden", hidden);
      const called = calledFrom(start, folder);
      const targets = names.map((name) => ({ name, path: under(called, name) })).filter(({ path }) => matches(path));
      const failure = targets.length > 0 ? look(folder, targets) : undefined;
      if (failure) return failure;
    }
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return { type: "system", code: codeOf(error) };
    throw error;
  }
  return undefined;
}

function lookOf(
  { start, pattern, maxShown }: Search,
  openAt: OpenFolderAt,
  main: MainThread,
  progress: Progress,
): Look {
  const report = reportTo(main, progress, maxShown);
  return pattern === undefined
    ? lookAtNames(report, progress)
    : lookInside(start.root, openAt, pattern, report, progress);
}

/** Throws the system's error. */
function isThere(openAt: OpenFolderAt, path: string): boolean {
  const open = openAt(path);
  open?.close();
  return open !== undefined;
}

/** A file that was asked for by name was granted by name, by whoever was asked. */
function onlyFile({ realTarget }: Place): SeenFiles {
  return { folder: posix.dirname(realTarget), names: [posix.basename(realTarget)], hidden: 0 };
}
