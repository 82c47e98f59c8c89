// What the two threads of a search say to each other. The worker walks, reads and matches; the policy stays on the main thread.
// So the worker asks of every file whether it may be seen, and opens none before the answer says so.
import type { MessagePort } from "node:worker_threads";
import type { Place } from "../paths/place.js";

export interface Search {
  /** A folder, or a file, which is then searched whatever the policy says: it was granted by name. */
  readonly start: Place;
  readonly isFolder: boolean;
  readonly glob: string | undefined;
  /** Compiles with the u flag. `undefined`: files are looked for by their names, and none is opened. */
  readonly pattern: string | undefined;
  /** How many hits, or names, are reported; the rest is only counted. */
  readonly maxShown: number;
}

/** Some files of one folder: its real path, and their names with `/` between them. */
export type FilesOfFolder = readonly [folder: string, names: string];

/** What a worker is sent. Each search has a port of its own, so that no answer can be taken for one to another search. */
export interface Order {
  readonly search: Search;
  /** Of the search's progress. */
  readonly memory: SharedArrayBuffer;
  /** Hears `FromWorker`, and says `Verdicts`. */
  readonly port: MessagePort;
}

/** The answer to the oldest question without one: 1 for each file that may be seen, 0 for the others. */
export type Verdicts = Uint8Array;

export type FromWorker =
  | { readonly type: "question"; readonly files: readonly FilesOfFolder[] }
  | { readonly type: "found"; readonly lines: readonly string[] }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly failure: Failure };

export type Failure =
  /** The system did not let the search start, or go on; `code` is its word for it. */
  | { readonly type: "system"; readonly code: string }
  /** The folder to search leads elsewhere by now. */
  | { readonly type: "exchanged" }
  /** The expression needed more memory than there is for matching. */
  | { readonly type: "too-complex"; readonly path: string };
