// list_dir: one folder, one level. Links are named and not followed; what the policy hides is counted and not named.

import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import type { Tool, ToolResult } from "@harness/spec";
import { z } from "zod";
import { isTemporary } from "../change/replace-file.js";
import { explained } from "../paths/file-problem.js";
import { exchanged } from "../paths/found-file.js";
import { type PinnedFolder, pinFolder } from "../paths/pinned-folder.js";
import { isVisible, type Place, placeIn } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";
import { byPath } from "../walk/by-path.js";
import { hiddenNote } from "../walk/hidden-note.js";
import { folderPath } from "./arguments.js";
import { readingTool } from "./reading-tool.js";

const maxEntries = 200;

const input = z.strictObject({ path: folderPath });

export type ListDirInput = z.infer<typeof input>;

/** The tool `list_dir`. */
export function listDirTool(): Tool<ListDirInput> {
  return readingTool({
    name: "list_dir",
    description:
      "Lists one folder, one level deep, sorted by name: folders end in /, files show their size in bytes, links are marked " +
      `and not followed. Shows the first ${maxEntries} entries and says how many there are. To search deeper, use find.`,
    input,
    look: (_input, place, { visible }) =>
      explained(`Could not list ${JSON.stringify(place.target)}`, async () => {
        const folder = await pinFolder(place.root, place.absolute);
        if (!folder) throw exchanged("read", place);
        try {
          return await list(folder, place, visible);
        } finally {
          await folder.close();
        }
      }),
  });
}

async function list(folder: PinnedFolder, place: Place, visible: Parameters<typeof isVisible>[1]): Promise<ToolResult> {
  const found = await readdir(folder.at(), { withFileTypes: true });
  if (!(await folder.isInPlace())) throw exchanged("read", place);
  const entries = found.filter(({ name }) => !isTemporary(name)).sort((a, b) => byPath(a.name, b.name));
  const shown = entries.filter(({ name }) => isVisible(placeIn(place, name), visible));
  const lines = await Promise.all(shown.slice(0, maxEntries).map((entry) => describe(folder, entry)));
  const count = `${shown.length} ${shown.length === 1 ? "entry" : "entries"}`;
  const first = shown.length > maxEntries ? `, the first ${maxEntries} are` : "";
  const head = shown.length === 0 ? `${place.target}: no entries` : `${place.target}: ${count}${first}`;
  return { text: [head, ...lines, ...hiddenNote(entries.length - shown.length, "entries")].join("\n") };
}

async function describe(folder: PinnedFolder, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `  ${entry.name}/`;
  if (entry.isSymbolicLink()) return `  ${entry.name}  (link)`;
  if (!entry.isFile()) return `  ${entry.name}  (special file)`;
  try {
    return `  ${entry.name}  ${(await lstat(folder.at(entry.name))).size} bytes`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return `  ${entry.name}  (just removed)`;
    throw error;
  }
}
