// What was at a path before the run first changed it. What is handed out has the digest that the log says, or is not handed out:
// what is put back must be what was there, and a file must never be emptied or removed on a misunderstanding.
import { type Digest, type RunId, type Store, sha256 } from "@harness/spec";
import type { LoggedFile } from "./file-log.js";
import type { NotKept } from "./results.js";
import { wordsOf } from "./words.js";

export type FirstState =
  /** `bytes` and `digest` are `null` when there was no file. */
  | { readonly type: "kept"; readonly bytes: Uint8Array | null; readonly digest: Digest | null }
  | { readonly type: "not-kept"; readonly why: NotKept };

export async function firstState(store: Store, run: RunId, { kept, stored }: LoggedFile): Promise<FirstState> {
  const found = await wordsOf<"file.kept">(store, run, stored);
  // Also where the facts alone would do: an archived run is read, not undone.
  if (found.type === "emptied") return notKept("archived");
  switch (kept.state) {
    case "absent":
      return { type: "kept", bytes: null, digest: null };
    case "text":
      return checked(kept.digest, found.words.text === null ? undefined : new TextEncoder().encode(found.words.text));
    case "binary":
      return kept.digest === null
        ? notKept("unknown")
        : checked(kept.digest, await store.blobs.get(kept.digest), "missing");
    case "unkept":
      return notKept("secret");
    default:
      // A later version may know other states. What this one does not know is not taken for absent.
      kept.state satisfies never;
      return notKept("unknown");
  }
}

function checked(digest: Digest | null, bytes: Uint8Array | undefined, without: NotKept = "unknown"): FirstState {
  if (bytes === undefined) return notKept(without);
  return sha256(bytes) === digest ? { type: "kept", bytes, digest } : notKept("unknown");
}

function notKept(why: NotKept): FirstState {
  return { type: "not-kept", why };
}
