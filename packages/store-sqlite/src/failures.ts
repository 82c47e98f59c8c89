// What the engine, the file system and this store call a failure, as one of the kinds a caller can act on. The engine's words
// are kept whole.
import { type HarnessError, isHarnessError, type RunId, StoreError, type StoreFailure } from "@harness/spec";

const advice: Readonly<Record<StoreFailure, string>> = {
  busy: "Another process is writing. Try again.",
  constraint: "It contradicts what is stored.",
  corrupt: "The file is damaged, or is not a store. Restore a copy.",
  full: "Make room on the disk, then resume.",
  readonly: "Make the file and its folder writable, or open another store.",
  closed: "Open the store again.",
  "newer-format": "Update this package.",
  missing: "It is not in this store.",
  other: "See the words of the engine.",
};

/** In the order they are looked for: SQLite's names carry details behind the first words. */
const kinds: readonly (readonly [prefix: string, kind: StoreFailure])[] = [
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_CONSTRAINT", "constraint"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_NOTADB", "corrupt"],
  ["SQLITE_FULL", "full"],
  ["ENOSPC", "full"],
  ["SQLITE_READONLY", "readonly"],
  ["EACCES", "readonly"],
  ["EPERM", "readonly"],
  ["EROFS", "readonly"],
];

function kindOf(error: unknown): StoreFailure {
  const { code } = (error ?? {}) as { code?: unknown };
  return kinds.find(([prefix]) => typeof code === "string" && code.startsWith(prefix))?.[1] ?? "other";
}

export function isBusy(error: unknown): boolean {
  return kindOf(error) === "busy";
}

export function isReadonlyFailure(error: unknown): boolean {
  return kindOf(error) === "readonly";
}

/** The system could not read or write, this once or for good: nothing is known of the file itself. */
export function isInputOutput(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && code.startsWith("SQLITE_IOERR");
}

/** `attempt` completes "Could not …": `append to run 7 in /srv/runs.db`. Errors of this project pass as they are. */
export function storeFailure(error: unknown, attempt: string, runId?: RunId): HarnessError {
  if (isHarnessError(error)) return error;
  const kind = kindOf(error);
  const { code } = (error ?? {}) as { code?: unknown };
  const words = error instanceof Error ? error.message : String(error);
  const name = typeof code === "string" ? ` (${code})` : "";
  return new StoreError(kind, `Could not ${attempt}: ${words}${name}. ${advice[kind]}`, { cause: error, runId });
}
