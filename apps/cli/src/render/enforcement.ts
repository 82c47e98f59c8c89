// What a sandbox really holds commands to, in words. The claims are its own: it reports what it applies, not what it was asked.
import type { Enforcement } from "@harness/spec";

/** What a command is not kept from, in a few words; `undefined` when that is nothing. Of what one opening includes, only that. */
export function openingsText(enforces: Enforcement): string | undefined {
  const { writes, reads, egress, protectedPaths, unixSockets } = enforces;
  const open = [
    ...(writes ? (protectedPaths ? [] : ["changing what is protected in the workspace"]) : ["writing anywhere"]),
    ...(reads ? [] : ["reading anything"]),
    ...(network[egress].holds ? (unixSockets ? [] : ["talking to local sockets"]) : ["reaching the network"]),
  ];
  return open.length === 0 ? undefined : new Intl.ListFormat("en", { type: "disjunction" }).format(open);
}

/** One boundary: whether it holds, and what that means. */
export interface Boundary {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
}

/** Places, the network, the machine, and the end of a command, in this order. */
export function boundaries(enforces: Enforcement): readonly Boundary[] {
  return [
    ...flags.map(({ name, field, held, open }) => ({
      name,
      holds: enforces[field],
      text: enforces[field] ? held : open,
    })),
    { name: "network", ...network[enforces.egress] },
    { name: "clean-up", ...ends[enforces.treeKill] },
  ];
}

interface Flag {
  readonly name: string;
  readonly field:
    | "writes"
    | "reads"
    | "metadata"
    | "protectedPaths"
    | "unixSockets"
    | "otherProcesses"
    | "kernel"
    | "privateTemp";
  /** What it means that it holds, and what it means that it does not. */
  readonly held: string;
  readonly open: string;
}

const flags: readonly Flag[] = [
  {
    name: "writes",
    field: "writes",
    held: "only below the workspace and what a command is given beside it",
    open: "not confined: a command can write wherever you can",
  },
  {
    name: "modes",
    field: "metadata",
    held: "modes and times stay as they are where a command may not write",
    open: "not confined: a command can change modes and times of whatever is yours",
  },
  {
    name: "protected",
    field: "protectedPaths",
    held: "git's hooks and settings, and what rules deny, stay as they are in the workspace",
    open: "not kept: a command can change git's hooks and settings in the workspace, which you run later",
  },
  {
    name: "reads",
    field: "reads",
    held: "not what is hidden from it",
    open: "not confined: a command can read whatever you can",
  },
  {
    name: "temporary",
    field: "privateTemp",
    held: "a command's temporary folder is its own and gone with it",
    open: "shared: a command can leave files where everybody's are",
  },
  {
    name: "sockets",
    field: "unixSockets",
    held: "agents, container daemons and the desktop are out of reach",
    open: "not confined: a command can talk to agents, container daemons and the desktop as you can",
  },
  {
    name: "processes",
    field: "otherProcesses",
    held: "a command sees and signals its own only",
    open: "not confined: a command can see yours, and may signal them and look into them",
  },
  {
    name: "kernel",
    field: "kernel",
    held: "mounts, namespaces, devices and settings are out of reach, and no privilege can be gained",
    open: "not confined: a command can ask of it whatever you may",
  },
];

const network: Readonly<Record<Enforcement["egress"], Omit<Boundary, "name">>> = {
  none: { holds: false, text: "not confined: a command can reach any host" },
  advisory: { holds: false, text: "asked not to: a command that ignores the proxy settings reaches any host" },
  all: { holds: true, text: "open or closed as a whole" },
  port: { holds: true, text: "closed, but for what its rules allow; a rule's port is open to every host" },
  host: { holds: true, text: "closed, but for the hosts and ports that its rules allow" },
};

const ends: Readonly<Record<Enforcement["treeKill"], Omit<Boundary, "name">>> = {
  none: { holds: false, text: "what a command started may outlive it" },
  walk: { holds: true, text: "what a command started is looked for and ended; what hides well can survive" },
  kernel: { holds: true, text: "nothing that a command started can outlive it" },
};

/** The caps that end a command and those that do not, each in words. */
export function caps(enforces: Enforcement): { readonly held: readonly string[]; readonly open: readonly string[] } {
  const { cpu, memory } = enforces;
  const every: readonly (readonly [boolean, string])[] = [
    [enforces.wall, "time"],
    [enforces.output, "output"],
    [cpu !== "none", cpu === "process" ? "CPU time (of each process)" : "CPU time"],
    [memory !== "none", memory === "poll" ? "memory (looked at from time to time)" : "memory"],
    [enforces.processes, "processes"],
    [enforces.openFiles, "open files"],
    [enforces.fileSize, "file size"],
    [enforces.temp, "temporary files"],
  ];
  const names = (wanted: boolean) => every.filter(([holds]) => holds === wanted).map(([, name]) => name);
  return { held: names(true), open: names(false) };
}
