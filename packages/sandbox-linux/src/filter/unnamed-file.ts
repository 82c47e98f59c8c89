// Hands the filter to a wrapper that reads it from a descriptor. The file has no name by then, so that nobody else can open or
// change it, and it is opened anew for each command: a descriptor that was read once stands at its end.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface UnnamedFile {
  /** A descriptor of its own for one reader, at the start. Whoever asks closes it. */
  open(): number;
  /** May be called twice. */
  close(): void;
}

/** A file of these contents that is in no folder. */
export function unnamedFile(contents: Uint8Array): UnnamedFile {
  const folder = mkdtempSync(join(tmpdir(), "harness-file-"));
  const path = join(folder, "contents");
  let kept: number | undefined;
  try {
    kept = openSync(path, "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // Not before it has lost its name.
  writeFileSync(kept, contents);
  return {
    open: () => openSync(`/proc/self/fd/${kept}`, "r"),
    close() {
      if (kept !== undefined) closeSync(kept);
      kept = undefined;
    },
  };
}
