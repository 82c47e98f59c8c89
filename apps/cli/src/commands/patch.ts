// harness patch <run>
import { patch, type RunPatch } from "io-harness";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { clip, printable } from "../render/printable.js";
import { findRun } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";

export interface PatchFlags {
  readonly store?: string;
}

/** The series goes to standard output and nothing else does, so that `git apply` can read it. */
export async function patchCommand(terminal: Terminal, id: string, flags: PatchFlags): Promise<number> {
  const { out, err } = terminal;
  const { path, place } = storePlace(terminal, flags.store);
  return withExistingStore(path, async (store) => {
    const head = await findRun(store, id, place);
    const { text, pieces, notes } = await patch(head.id, { store });
    // A file has the bytes that git needs; a terminal would obey them.
    out.write(out.isTTY ? printable(text) : text);
    if (pieces.length === 0 && notes.length === 0) err.write("The run's tools changed no file.\n");
    err.write(notes.map((note) => `${noteText(note)}\n`).join(""));
    return notes.every(({ type }) => type === "apart") ? exitCodes.done : exitCodes.notDone;
  });
}

function noteText({ call, path, type, reason }: RunPatch["notes"][number]): string {
  const what = { "left-out": "not in the patch", gap: "not all of it", apart: "by itself" }[type];
  return `${what}: call ${call}, ${clip(path, 160)}: ${clip(reason, 300)}`;
}
