// What a run did to files: every change in order, and what was there before the first one to each path.
import type { Digest, EventOf, FileChange, RunEvent } from "@harness/spec";
import { emptyVector, push, type Vector } from "../events/vector.js";

export interface FileState {
  readonly changes: Vector<FileChange>;
  readonly kept: Vector<KeptFile>;
}

export interface KeptFile {
  readonly path: string;
  readonly state: EventOf<"file.kept">["state"];
  readonly digest: Digest | null;
  readonly text: string | null;
}

export const noFiles: FileState = { changes: emptyVector(), kept: emptyVector() };

export function evolveFiles(files: FileState, event: RunEvent): FileState {
  switch (event.type) {
    case "tool.finished":
      return event.changes.length === 0 ? files : { ...files, changes: event.changes.reduce(push, files.changes) };
    case "file.kept": {
      const { path, state, digest, content } = event;
      return { ...files, kept: push(files.kept, { path, state, digest, text: content?.text ?? null }) };
    }
    default:
      return files;
  }
}

/** What was kept of `path`, if anything was. */
export function findKept({ kept: { shared, length } }: FileState, path: string): KeptFile | undefined {
  for (let index = 0; index < length; index += 1) if (shared[index]?.path === path) return shared[index];
  return undefined;
}
