// What a backend does not hold, in words for whoever reads the trace, and for the model: they must claim no boundary that is
// not there.
import type { Enforcement, SandboxNeeds } from "@harness/spec";

type Held = Partial<Enforcement>;

interface Boundary {
  readonly isHeld: (enforces: Held, needs: Pick<SandboxNeeds, "egress">) => boolean;
  /** Said when it is not. */
  readonly lack: string;
}

const boundaries = {
  writes: {
    isHeld: ({ writes }) => writes === true,
    lack: "Commands may write wherever this user may",
  },
  egress: {
    isHeld: ({ egress = "none" }, needs) => needs.egress === "allow" || (egress !== "none" && egress !== "advisory"),
    lack: "Commands may use the network although it is denied",
  },
  reads: {
    isHeld: ({ reads }) => reads === true,
    lack: "Commands may read what is to be hidden from them",
  },
  protectedPaths: {
    isHeld: ({ protectedPaths }) => protectedPaths === true,
    lack: "Commands may write protected paths in the workspace, such as git's hooks",
  },
  metadata: {
    isHeld: ({ metadata }) => metadata === true,
    lack: "Commands may change modes and times of files that they may not write",
  },
  unixSockets: {
    isHeld: ({ unixSockets }) => unixSockets === true,
    lack: "Commands may talk to local sockets: agents, container daemons, the desktop",
  },
  otherProcesses: {
    isHeld: ({ otherProcesses }) => otherProcesses === true,
    lack: "Commands may see and signal other processes",
  },
  kernel: {
    isHeld: ({ kernel }) => kernel === true,
    lack: "Commands may ask the kernel for whatever this user may",
  },
  privateTemp: {
    isHeld: ({ privateTemp }) => privateTemp === true,
    lack: "Commands share the temporary folder with everyone",
  },
  treeKill: {
    isHeld: ({ treeKill }) => treeKill === "kernel",
    lack: "A process that a command leaves behind and that hides well may go on",
  },
} as const satisfies Readonly<Record<string, Boundary>>;

export type BoundaryName = keyof typeof boundaries;

/** In the order of their weight. */
const boundaryNames = Object.keys(boundaries) as readonly BoundaryName[];

/** Those of `names` that do not hold, as sentences without their full stop. */
export function lacksOf(
  enforces: Held,
  needs: Pick<SandboxNeeds, "egress">,
  names: readonly BoundaryName[] = boundaryNames,
): readonly string[] {
  const all: Readonly<Record<BoundaryName, Boundary>> = boundaries;
  return names.filter((name) => !all[name].isHeld(enforces, needs)).map((name) => all[name].lack);
}
