// The files that a search may look at. The walk runs ahead, so that the main thread judges files while others are searched.
import type { Place } from "../paths/place.js";
import { ignoreFile } from "../walk/ignore-rules.js";
import type { OpenFolderAt } from "../walk/open-folder.js";
import { type WalkedFiles, walkFiles } from "../walk/walk-files.js";
import type { Verdicts } from "./messages.js";
import type { Ask } from "./questions.js";

/** Files that may be seen, and how many in between may not. */
export interface SeenFiles extends WalkedFiles {
  readonly hidden: number;
}

/** So many files are walked before they are searched. */
const namesAhead = 1_024;

/** The files below the folder `start`, in the order of the walk. No file of ignore rules is read unless it may be seen. */
export function* seenFiles(start: Place, open: OpenFolderAt, ask: Ask): Generator<SeenFiles, void, undefined> {
  const mayReadRules = (folder: string) => ask(folder, [ignoreFile])()[0] === 1;
  const walk = walkFiles(start, { open, mayReadRules });
  const ahead: { readonly files: WalkedFiles; readonly verdicts: () => Verdicts }[] = [];
  let names = 0;
  for (let next = walk.next(); ; ) {
    for (; !next.done && names < namesAhead; next = walk.next()) {
      const { folder, names: found } = next.value;
      ahead.push({ files: next.value, verdicts: ask(folder, found) });
      names += found.length;
    }
    const oldest = ahead.shift();
    if (!oldest) return;
    names -= oldest.files.names.length;
    yield seen(oldest.files, oldest.verdicts());
  }
}

function seen({ folder, names }: WalkedFiles, verdicts: Verdicts): SeenFiles {
  const visible = names.filter((_, index) => verdicts[index] === 1);
  return { folder, names: visible, hidden: names.length - visible.length };
}
