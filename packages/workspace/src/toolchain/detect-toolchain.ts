// Recognises the toolchain of a repository by what lies in its root. Nothing is read but names, and nothing is guessed:
// without a marker there is no toolchain.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Argv, Toolchain } from "@harness/spec";
import { type Ecosystem, ecosystems } from "./ecosystems.js";

/**
 * The commands of the repository at `root`, absent where its ecosystem has none; `undefined` when none is recognised or
 * `root` cannot be read. Synchronous: one listing and a few looks at single names. It grants nothing.
 */
export function detectToolchain(root: string): Toolchain | undefined {
  const names = namesIn(root);
  const isThere = (marker: string) => matching(marker, names).some((name) => isFile(join(root, name)));
  const ecosystem = ecosystems.find(
    ({ markers, lockfiles }) => markers.some(isThere) && (lockfiles === undefined || lockfiles.some(isThere)),
  );
  return ecosystem && toolchain(ecosystem, root);
}

function toolchain({ name, commands, checkNeeds, checkFrom }: Ecosystem, root: string): Toolchain {
  const argvs = Object.fromEntries(Object.entries(commands).map(([command, words]) => [command, argvOf(words)]));
  const { check, ...others } = argvs;
  const isChecked = check !== undefined && (checkNeeds === undefined || isFile(join(root, checkNeeds)));
  return { ecosystem: name, ...others, ...(isChecked && { check: located(check, root, checkFrom) }) };
}

function argvOf(words: string): Argv {
  const [program = "", ...rest] = words.split(" ");
  return [program, ...rest];
}

/** `argv` with its program taken from `folder`, if it is there. */
function located(argv: Argv, root: string, folder: string | undefined): Argv {
  const [program, ...rest] = argv;
  if (folder === undefined || !isFile(join(root, folder, program))) return argv;
  return [`${folder}/${program}`, ...rest];
}

function namesIn(root: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(root));
  } catch {
    // No folder, or none that may be read: there is nothing to recognise.
    return new Set();
  }
}

function matching(marker: string, names: ReadonlySet<string>): readonly string[] {
  if (!marker.startsWith("*")) return names.has(marker) ? [marker] : [];
  return [...names].filter((name) => name.endsWith(marker.slice(1)));
}

/** True for a file, also at the end of links. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A loop of links, a folder that may not be searched.
    return false;
  }
}
