// One change as `git apply` takes it. Made from the bytes on either side wherever both are known; a diff that was stored is of
// decoded text, and git reads bytes.
import { isUtf8 } from "node:buffer";
import { compareLines, unifiedDiff } from "../change/line-changes.js";
import { gitBinary, gitBlobId } from "./git-binary.js";
import { gitFileName, gitName } from "./git-name.js";

export interface Sides {
  /** `null` for no file. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

// A run does not record modes: a file of its own is an ordinary one, and one that is changed keeps the mode it has.
const mode = "100644";

/** The piece for a change of `path`, between bytes that are known and differ. */
export async function pieceOf(path: string, { before, after }: Sides): Promise<string> {
  const kind = before === null ? "created" : after === null ? "deleted" : "changed";
  const [old, fresh] = [before ?? new Uint8Array(), after ?? new Uint8Array()];
  if (old.length === 0 && fresh.length === 0) return `${header(path, kind)}${index({ before, after })}\n`;
  if (!isUtf8(old) || !isUtf8(fresh)) {
    return `${header(path, kind)}${index({ before, after })}\n${gitBinary(before, after)}`;
  }
  const diff = await unifiedDiff(path, before === null, compareLines(textOf(old), textOf(fresh)));
  return pieceFromDiff(path, kind, diff);
}

/** The piece for a change of which only the diff is known. What its headers say of files is not read. */
export function pieceFromDiff(path: string, kind: "created" | "changed" | "deleted", diff: string): string {
  const start = diff.startsWith("@@ ") ? 0 : diff.indexOf("\n@@ ") + 1;
  const hunks = diff.slice(start);
  const from = kind === "created" ? "/dev/null" : gitFileName(`a/${path}`);
  const to = kind === "deleted" ? "/dev/null" : gitFileName(`b/${path}`);
  return `${header(path, kind)}--- ${from}\n+++ ${to}\n${hunks}${hunks.endsWith("\n") ? "" : "\n"}`;
}

function header(path: string, kind: "created" | "changed" | "deleted"): string {
  const names = `diff --git ${gitName(`a/${path}`)} ${gitName(`b/${path}`)}\n`;
  if (kind === "changed") return names;
  return `${names}${kind === "created" ? "new" : "deleted"} file mode ${mode}\n`;
}

function index({ before, after }: Sides): string {
  return `index ${gitBlobId(before)}..${gitBlobId(after)}`;
}

/** Every byte counts, a byte order mark too. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
