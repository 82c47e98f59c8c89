// Descriptors that this process was started with, by a parent that did not mean them for commands. Node marks its own to be closed
// when a program starts, and of the inherited ones those with low numbers; the rest would pass through to every command. Node
// cannot close them in the child either, but it can put the null device in their place.
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

export interface InheritedDescriptors {
  /** In their place the child gets the null device. */
  readonly covered: readonly number[];
  /** A sentence for those whose numbers are too large for that. */
  readonly warnings: readonly string[];
}

/** `spawn` is given a place for every number up to the largest. Few processes may have more descriptors unless they ask for it. */
const largestCovered = 1_023;

let shared: InheritedDescriptors | undefined;

/** Those of this process, as they were at the first call. Where the system does not tell (not Linux), none are known. */
export function inheritedDescriptors(): InheritedDescriptors {
  shared ??= process.platform === "linux" ? findInherited() : { covered: [], warnings: [] };
  return shared;
}

/** `folder` is `/proc/self` but in tests. */
export function findInherited(folder = "/proc/self"): InheritedDescriptors {
  const found = namesIn(`${folder}/fdinfo`).map(Number);
  const open = found.filter((fd) => fd > 2 && passesOn(`${folder}/fdinfo/${fd}`));
  const beyond = open.filter((fd) => fd > largestCovered);
  const warnings = beyond.map(
    (fd) =>
      `The command could use descriptor ${fd}, which this process was started with and cannot keep from it. Start this process without it.`,
  );
  return { covered: open.filter((fd) => fd <= largestCovered), warnings };
}

/** `stdio`, with the null device where an inherited descriptor would be; calls `start` with it. */
export function withCover<Stdio, Result>(
  stdio: readonly Stdio[],
  { covered }: InheritedDescriptors,
  start: (stdio: (Stdio | number | "ignore")[]) => Result,
): Result {
  const bare = covered.filter((fd) => fd >= stdio.length);
  if (bare.length === 0) return start([...stdio]);
  const cover = openSync(devNull, "r+");
  try {
    const places: (Stdio | number | "ignore")[] = [...stdio];
    while (places.length <= Math.max(...bare)) places.push("ignore");
    for (const fd of bare) places[fd] = cover;
    return start(places);
  } finally {
    closeSync(cover);
  }
}

const closeOnExec = 0o2000000;

function passesOn(path: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // Closed since it was listed.
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
