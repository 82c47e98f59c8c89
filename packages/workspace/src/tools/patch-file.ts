// patch_file: several passages of one file, found by their line numbers and confirmed by their text. The path is the
// argument's alone; what the headers of a patch say of files is not read.
import type { Tool } from "@harness/spec";
import { ToolError } from "@harness/spec";
import { z } from "zod";
import { writingTool } from "../change/writing-tool.js";
import { patchText, unpatchText } from "../patch/patch-text.js";
import { decode, encode } from "../text/decode.js";
import { filePath, text } from "./arguments.js";

const input = z.strictObject({
  path: filePath,
  patch: text
    .min(1)
    .describe(
      "A unified diff of this one file. Each hunk begins with @@ -start,count +start,count @@; its lines begin with a space " +
        "(kept), - (removed) or + (added). What comes before the first @@ is ignored.",
    ),
});

export type PatchFileInput = z.infer<typeof input>;

/** The tool `patch_file`. */
export function patchFileTool(): Tool<PatchFileInput> {
  return writingTool({
    name: "patch_file",
    description:
      "Changes an existing text file by a unified diff: several places at once, all of them or none. Every hunk must match " +
      "exactly at the line numbers it gives, in the file as it is now; nothing is searched for or moved. " +
      "Line endings need not match and stay as the file has them. For one passage edit_file is simpler. " +
      "It cannot create a file: use write_file.",
    input,
    intend: (change, current) => intended(change, current),
    undo: (change, after) => undone(change, after),
  });
}

function intended({ path, patch }: PatchFileInput, current: Uint8Array | null): Uint8Array {
  const attempt = `Could not patch ${JSON.stringify(path)}`;
  if (!current) throw new ToolError(`${attempt}: there is no such file. Create it with write_file.`);
  const found = decode(current);
  if (found.type === "binary") throw new ToolError(`${attempt}: it is not text (${found.kind}).`);
  const patched = patchText(found.text, patch);
  if (patched.type === "refused") throw new ToolError(`${attempt}: ${patched.reason} Nothing was changed.`);
  return encode(patched.text, found.encoding);
}

function* undone({ patch }: PatchFileInput, after: Uint8Array): Generator<Uint8Array> {
  const found = decode(after);
  if (found.type === "binary") return;
  const before = unpatchText(found.text, patch);
  if (before !== undefined) yield encode(before, found.encoding);
}
