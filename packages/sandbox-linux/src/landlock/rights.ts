// What Landlock can hold back, by the version of its interface: a right that the kernel does not know makes it refuse the whole
// set of rules, so every set is cut to what the kernel at hand knows.

/** Rights of the kernel's, a bit each. */
export type Rights = number;

/** Of files and folders. */
export const rights = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  removeFolder: 1 << 4,
  removeFile: 1 << 5,
  makeCharacterDevice: 1 << 6,
  makeFolder: 1 << 7,
  makeFile: 1 << 8,
  makeSocket: 1 << 9,
  makePipe: 1 << 10,
  makeBlockDevice: 1 << 11,
  makeLink: 1 << 12,
  /** To move and link from one folder to another. Without it the kernel lets nobody do so. */
  refer: 1 << 13,
  truncate: 1 << 14,
  controlDevice: 1 << 15,
} as const;

/** What may be granted on something that is no folder. */
export const ofFiles: Rights =
  rights.execute | rights.writeFile | rights.readFile | rights.truncate | rights.controlDevice;

const filesSince: readonly (readonly [abi: number, files: Rights])[] = [
  [1, (1 << 13) - 1],
  [2, rights.refer],
  [3, rights.truncate],
  [5, rights.controlDevice],
];

/** To bind and to connect by TCP. */
const ports = 0b11;
/** Sockets without a file, and signals. */
const scopes = 0b11;

export interface Handled {
  /** How much of the rest this kernel reads: a longer text it refuses. */
  readonly bytes: number;
  readonly files: Rights;
  readonly ports: Rights;
  readonly scopes: Rights;
}

/** All that the kernel can hold back; ports only where the network is denied. An interface newer than this table is a 7. */
export function handledBy(abi: number, network: "denied" | "allowed"): Handled {
  const known = filesSince.filter(([since]) => since <= abi);
  return {
    bytes: abi >= 6 ? 24 : abi >= 4 ? 16 : 8,
    files: known.reduce((sum, [, files]) => sum | files, 0),
    ports: abi >= 4 && network === "denied" ? ports : 0,
    scopes: abi >= 6 ? scopes : 0,
  };
}
