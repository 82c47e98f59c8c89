// The filter that every contained command runs under. It takes tools away that get around the other boundaries (mounts, tracing,
// new namespaces, sockets of the host's); it is no list of what is allowed, and no boundary by itself.
import { assemble, type Instruction } from "./bpf.js";
import { type CallTable, callTables, type FilterArchitecture } from "./calls.js";

export interface FilterOptions {
  readonly architecture: FilterArchitecture;
  /** Sockets of the local kind may be made. Pairs of them always may. */
  readonly unixSockets: boolean;
  /** False where nothing but the filter stands between the command and the network. */
  readonly network: boolean;
}

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refusal = (errno: number) => 0x00050000 | errno;
const refusals = { EPERM: refusal(1), EACCES: refusal(13), ENOSYS: refusal(38), EAFNOSUPPORT: refusal(97) } as const;

/** Where the kernel puts what it says of a call: of an argument, the half that the calls judged here read. */
const at = { call: 0, architecture: 4, first: 16, second: 24 } as const;

/** Numbers from here on are the x32 calls of a 64-bit machine: the same ones under other numbers. */
const firstForeignCall = 0x40000000;
/** `CLONE_NEW…`, all of them. */
const newNamespaces = 0x7e020080;
/** They put characters into a terminal as if they had been typed. */
const terminalTricks = [0x5412, 0x541c];

const families = { unix: 1, netlink: 16, packet: 17, alg: 38, vsock: 40 } as const;

/** In the form in which the kernel and bubblewrap take it: instructions of 8 bytes, little endian. */
export function assembleFilter({ architecture, ...options }: FilterOptions): Uint8Array {
  const calls = callTables[architecture];
  return assemble([
    { type: "load", offset: at.architecture },
    { type: "jump", when: "equal", value: calls.audit, no: "kill" },
    { type: "load", offset: at.call },
    { type: "jump", when: "at-least", value: firstForeignCall, yes: "ENOSYS" },
    ...each(calls.refused, "EPERM"),
    ...each(calls.absent, "ENOSYS"),
    ...toJudges(calls),
    { type: "return", verdict: allow },
    ...namespaceJudge,
    ...socketJudge(options),
    ...terminalJudge,
    ...endings,
  ]);
}

function each(calls: Readonly<Record<string, number>>, yes: string): readonly Instruction[] {
  return Object.values(calls).map((value) => ({ type: "jump", when: "equal", value, yes }));
}

function toJudges({ judged }: CallTable): readonly Instruction[] {
  return [
    { type: "jump", when: "equal", value: judged.unshare, yes: "namespaces" },
    { type: "jump", when: "equal", value: judged.clone, yes: "namespaces" },
    { type: "jump", when: "equal", value: judged.socket, yes: "socket" },
    { type: "jump", when: "equal", value: judged.ioctl, yes: "terminal" },
  ];
}

const namespaceJudge: readonly Instruction[] = [
  { type: "label", name: "namespaces" },
  { type: "load", offset: at.first },
  { type: "jump", when: "any-bit", value: newNamespaces, yes: "EPERM", no: "pass" },
];

function socketJudge({ unixSockets, network }: Omit<FilterOptions, "architecture">): readonly Instruction[] {
  const family = (value: number, yes: string): Instruction => ({ type: "jump", when: "equal", value, yes });
  return [
    { type: "label", name: "socket" },
    { type: "load", offset: at.first },
    family(families.unix, unixSockets ? "pass" : "EPERM"),
    family(families.vsock, "EAFNOSUPPORT"),
    family(families.alg, "EAFNOSUPPORT"),
    family(families.packet, "EPERM"),
    // Not the two internet families alone: others carry the same traffic under a name of their own.
    ...(network ? [] : [family(families.netlink, "pass"), { type: "return", verdict: refusals.EACCES } as const]),
    { type: "return", verdict: allow },
  ];
}

const terminalJudge: readonly Instruction[] = [
  { type: "label", name: "terminal" },
  { type: "load", offset: at.second },
  ...terminalTricks.map((value): Instruction => ({ type: "jump", when: "equal", value, yes: "EPERM" })),
];

/** In reach of every jump before them. */
const endings: readonly Instruction[] = [
  { type: "label", name: "pass" },
  { type: "return", verdict: allow },
  { type: "label", name: "EPERM" },
  { type: "return", verdict: refusals.EPERM },
  { type: "label", name: "ENOSYS" },
  { type: "return", verdict: refusals.ENOSYS },
  { type: "label", name: "EAFNOSUPPORT" },
  { type: "return", verdict: refusals.EAFNOSUPPORT },
  { type: "label", name: "kill" },
  { type: "return", verdict: killProcess },
];
