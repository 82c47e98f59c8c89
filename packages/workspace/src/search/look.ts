// What is done with files that may be seen: their names are listed, or their contents searched. Where the search has got to is
// noted before a file is opened, so that a search that never comes back from one can be told by its name.
import { join } from "node:path";
import type { Root } from "../paths/root.js";
import { printable } from "../walk/names.js";
import { isKeptFromUs, type OpenFolder, type OpenFolderAt } from "../walk/open-folder.js";
import { type Matcher, matcherOf } from "./matcher.js";
import type { Failure } from "./messages.js";
import type { Progress } from "./progress.js";
import type { Report } from "./report.js";

/** A file that may be seen. */
export interface Target {
  readonly name: string;
  /** Relative to the root, as the one who searches calls it. */
  readonly path: string;
}

/** Looks at `targets` in the folder with this real path. Returns why the search cannot go on, if so. */
export type Look = (folder: string, targets: readonly Target[]) => Failure | undefined;

const maxFileBytes = 5 * 1024 * 1024;

/** Lists the files. */
export function lookAtNames(report: Report, progress: Progress): Look {
  return (_folder, targets) => {
    progress.at(targets.at(-1)?.path ?? "");
    progress.add("files", targets.length);
    report(targets, ({ path }) => printable(path));
    return undefined;
  };
}

/** Searches the files for `pattern`, line by line. Throws the system's error when it is short of something. */
export function lookInside(
  root: Root,
  openAt: OpenFolderAt,
  pattern: string,
  report: Report,
  progress: Progress,
): Look {
  const match = matcherOf(pattern);

  function lookInto(open: OpenFolder, { name, path }: Target): Failure | undefined {
    progress.at(path);
    const bytes = open.read(name, maxFileBytes);
    if (bytes === "too large") progress.add("large", 1);
    if (bytes === undefined || bytes === "too large") return undefined;
    const hits = matchOrFail(match, bytes);
    if (hits === "too complex") return { type: "too-complex", path };
    if (hits) progress.add("files", 1);
    if (hits && hits.length > 0) report(hits, ({ line, text }) => `${printable(path)}:${line}: ${text}`);
    return undefined;
  }

  return (folder, targets) => {
    const open = openIfThere(openAt, join(root.path, folder));
    if (!open) return undefined;
    try {
      for (const target of targets) {
        const failure = lookInto(open, target);
        if (failure) return failure;
      }
      return undefined;
    } finally {
      open.close();
    }
  };
}

function matchOrFail(match: Matcher, bytes: Uint8Array): ReturnType<Matcher> | "too complex" {
  try {
    return match(bytes);
  } catch (error) {
    // The stack that ran over is the expression's.
    if (error instanceof RangeError) return "too complex";
    throw error;
  }
}

/** By now a folder may be gone, or elsewhere. */
function openIfThere(openAt: OpenFolderAt, path: string): OpenFolder | undefined {
  try {
    return openAt(path);
  } catch (error) {
    if (isKeptFromUs(error)) return undefined;
    throw error;
  }
}
