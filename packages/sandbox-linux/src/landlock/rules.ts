// What a command may do where, as Landlock's rules: each grants something below a place, and nothing takes away again. So what is
// to stay out of reach must not lie in anything granted.
import type { LaunchStep } from "./launcher-words.js";
import { type Handled, ofFiles, type Rights, rights } from "./rights.js";

export interface Place {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface Granted {
  readonly handled: Handled;
  /** What lies directly in the root folder, without links. */
  readonly roots: readonly Place[];
  /** What may be written: the workspace, what was granted beside it, and the command's temporary folder. */
  readonly writable: readonly Place[];
}

/** Of these anybody may write every one. */
const harmlessDevices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

const toSee = rights.execute | rights.readFolder;
const toUseDevice = rights.readFile | rights.writeFile | rights.controlDevice;
/** A pipe may be opened again by its name in `/dev`. */
const toUseStream = rights.readFile | rights.writeFile;

/** The launcher's steps from an empty set of rules to a whole one. */
export function ruleSteps({ handled, roots, writable }: Granted): readonly LaunchStep[] {
  const grant = (path: string, wanted: Rights): LaunchStep => ({
    type: "grant",
    rights: wanted & handled.files,
    path,
  });
  return [
    { type: "rules", handled },
    grant("/", toSee),
    // Not `/` as a whole: uid 0 could read every disk.
    ...roots.filter(({ path }) => path !== "/dev").map(({ path }) => grant(path, rights.readFile)),
    ...harmlessDevices.map((path) => grant(path, toUseDevice)),
    ...[1, 2].map((fd) => ({ type: "stream", rights: toUseStream, fd }) as const),
    ...writable.map(({ path, isFolder }) => grant(path, isFolder ? handled.files : ofFiles)),
  ];
}
