// Removes a file that is what it was found to be, and nothing else: in its own folder held open, looked at again as late as can be.
import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { changedSince } from "../change/replace-file.js";
import { explained } from "../paths/file-problem.js";
import { exchanged, type FoundFile, findFile } from "../paths/found-file.js";
import { pinFolder } from "../paths/pinned-folder.js";
import type { Place } from "../paths/place.js";

/**
 * Removes `found` at `place`; folders stay. Rejects, nothing removed: `ToolError` when the file is not `found` any more or the
 * system refuses, `ActRefusedError` when the path leads elsewhere, the signal's reason when it has fired.
 */
export async function removeFile(place: Place, found: FoundFile, signal: AbortSignal | undefined): Promise<void> {
  await explained(`Could not remove ${JSON.stringify(place.target)}`, async () => {
    const folder = await pinFolder(place.root, dirname(place.absolute));
    if (!folder) throw exchanged("write", place);
    try {
      const now = await findFile("write", place, { signal, expected: found.bytes });
      if (now?.bytes !== found.bytes) throw changedSince(place);
      if (!(await folder.isInPlace())) throw exchanged("write", place);
      await rm(folder.at(basename(place.absolute)));
      await folder.sync();
    } finally {
      await folder.close();
    }
  });
}
