// What a sandbox really holds commands to, in words. The claims are its own: it reports what it applies, not what it was asked.
import type { Enforcement } from "@harness/spec";

/** What a command is not kept from, in a few words; `undefined` when that is nothing. */
export function openingsText({ writes, reads, egress }: Enforcement): string | undefined {
  const open = [
    ...(writes ? [] : ["writing anywhere"]),
    ...(reads ? [] : ["reading anything"]),
    ...(network[egress].holds ? [] : ["reaching the network"]),
  ];
  return open.length === 0 ? undefined : new Intl.ListFormat("en", { type: "disjunction" }).format(open);
}

/** One boundary: whether it holds, and what that means. */
export interface Boundary {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
}

/** Writes, reads, the network, and the end of a command, in this order. */
export function boundaries({ writes, reads, egress, treeKill }: Enforcement): readonly Boundary[] {
  return [
    {
      name: "writes",
      holds: writes,
      text: writes
        ? "only below the workspace and what a command is given beside it"
        : "not confined: a command can write wherever you can",
    },
    {
      name: "reads",
      holds: reads,
      text: reads ? "not what is hidden from it" : "not confined: a command can read whatever you can",
    },
    { name: "network", ...network[egress] },
    { name: "clean-up", ...ends[treeKill] },
  ];
}

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
