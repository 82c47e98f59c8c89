// write_file: the whole content of one file. What a model cannot see when it writes, the file keeps: its encoding with or
// without a byte order mark, its CRLF line endings, its mode.
import type { Tool } from "@harness/spec";
import { z } from "zod";
import { writingTool } from "../change/writing-tool.js";
import { encode, recognise } from "../text/decode.js";
import { isCrlfFile, toCrlf } from "../text/line-endings.js";
import { filePath, text } from "./arguments.js";

const input = z.strictObject({
  path: filePath,
  content: text.describe("The whole new content of the file. Empty text makes an empty file."),
});

export type WriteFileInput = z.infer<typeof input>;

/** The tool `write_file`. */
export function writeFileTool(): Tool<WriteFileInput> {
  return writingTool({
    name: "write_file",
    description:
      "Creates a file, or replaces the whole content of an existing one. Missing folders are made. " +
      "An existing file keeps its line endings (LF content is written as CRLF into a CRLF file), its encoding and its mode. " +
      "To change a part of a file, use edit_file.",
    input,
    intend: ({ content }, current) => intended(content, current),
  });
}

function intended(content: string, current: Uint8Array | null): Uint8Array {
  const found = current && recognise(current);
  if (found?.type !== "text") return encode(content, "utf-8");
  const unmarked = content.startsWith("\ufeff") ? content.slice(1) : content;
  return encode(isCrlfFile(found) ? toCrlf(unmarked) : unmarked, found.encoding);
}
