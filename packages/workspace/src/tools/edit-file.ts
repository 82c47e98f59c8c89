// edit_file: one passage of one file, found by its text. Everything outside the passage keeps its bytes.
import type { Tool } from "@harness/spec";
import { ToolError } from "@harness/spec";
import { z } from "zod";
import { writingTool } from "../change/writing-tool.js";
import { recognise } from "../text/decode.js";
import { passagesOf, replacePassage } from "../text/passages.js";
import { filePath, text } from "./arguments.js";

const input = z.strictObject({
  path: filePath,
  search: text
    .min(1)
    .describe("The passage to replace, exactly as it is in the file, spaces included. It must occur exactly once."),
  replace: text.describe("What to put in its place. Empty text deletes the passage."),
});

export type EditFileInput = z.infer<typeof input>;

/** The tool `edit_file`. */
export function editFileTool(): Tool<EditFileInput> {
  return writingTool({
    name: "edit_file",
    description:
      "Replaces one passage of an existing text file. search must occur exactly once in it: take in enough of the lines " +
      "around to make it unique. Line endings need not match (LF finds CRLF) and stay as the file has them. " +
      "It cannot create a file: use write_file.",
    input,
    intend: (edit, current) => intended(edit, current),
    undo: (edit, after) => undone(edit, after),
  });
}

function intended({ path, search, replace }: EditFileInput, current: Uint8Array | null): Uint8Array {
  const attempt = `Could not edit ${JSON.stringify(path)}`;
  if (!current) throw new ToolError(`${attempt}: there is no such file. Create it with write_file.`);
  const found = recognise(current);
  if (found.type === "binary") throw new ToolError(`${attempt}: it is not text (${found.kind}).`);
  const passages = passagesOf(found, search);
  const [passage] = passages;
  if (!passage || passages.length > 1) throw new ToolError(`${attempt}: ${miscount(passages.length)}`);
  return replacePassage(current, found, passage, replace);
}

// Each guess is a whole file; a passage that occurs more often than this is not worth the search.
const maxGuesses = 100;

/** Every file that this edit could have turned into `after`, if they are few. */
function* undone({ search, replace }: EditFileInput, after: Uint8Array): Generator<Uint8Array> {
  const found = recognise(after);
  if (found.type === "binary" || replace === "") return;
  const passages = passagesOf(found, replace);
  if (passages.length > maxGuesses) return;
  for (const passage of passages) yield replacePassage(after, found, passage, search);
}

function miscount(count: number): string {
  return count === 0
    ? "search occurs 0 times, it must occur exactly once. Read the file again; every space counts."
    : `search occurs ${count} times, it must occur exactly once. Take in more of the lines around the passage.`;
}
