// What the filter looks at, by architecture: the numbers under which the kernel knows its calls. An architecture that is not
// here has no filter, and its rungs say so.

/** Node's names of the architectures that have a filter. */
export type FilterArchitecture = "x64" | "arm64";

export interface CallTable {
  /** The kernel's own number of the architecture, told with every call. */
  readonly audit: number;
  /** Refused: mounts, tracing, modules, keys, clocks and what else no command needs. */
  readonly refused: Readonly<Record<string, number>>;
  /** Said not to be there, so that a program falls back on what the filter can judge. */
  readonly absent: Readonly<Record<string, number>>;
  /** Judged by their arguments. */
  readonly judged: Readonly<Record<"unshare" | "clone" | "socket" | "ioctl", number>>;
}

/** Numbered alike on every architecture: what was added to the kernel since 2019. */
const refusedEverywhere = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
};

const absent = {
  /** It does what the calls refused here do, and the filter never sees it. */
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  /** Its flags are in memory, where a filter cannot read them. */
  clone3: 435,
};

export const callTables: Readonly<Record<FilterArchitecture, CallTable>> = {
  x64: {
    audit: 0xc000003e,
    refused: {
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      kexec_load: 246,
      kexec_file_load: 320,
      bpf: 321,
      perf_event_open: 298,
      setns: 308,
      kcmp: 312,
      keyctl: 250,
      add_key: 248,
      request_key: 249,
      userfaultfd: 323,
      open_by_handle_at: 304,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      acct: 163,
      settimeofday: 164,
      clock_settime: 227,
      quotactl: 179,
      iopl: 172,
      ioperm: 173,
      ...refusedEverywhere,
    },
    absent,
    judged: { unshare: 272, clone: 56, socket: 41, ioctl: 16 },
  },
  arm64: {
    audit: 0xc00000b7,
    refused: {
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      kexec_load: 104,
      kexec_file_load: 294,
      bpf: 280,
      perf_event_open: 241,
      setns: 268,
      kcmp: 272,
      keyctl: 219,
      add_key: 217,
      request_key: 218,
      userfaultfd: 282,
      open_by_handle_at: 265,
      swapon: 224,
      swapoff: 225,
      reboot: 142,
      acct: 89,
      settimeofday: 170,
      clock_settime: 112,
      quotactl: 60,
      ...refusedEverywhere,
    },
    absent,
    judged: { unshare: 97, clone: 220, socket: 198, ioctl: 29 },
  },
};

/** The architecture as the filter knows it, `undefined` where there is no filter. */
export function filterArchitecture(architecture: string = process.arch): FilterArchitecture | undefined {
  return architecture === "x64" || architecture === "arm64" ? architecture : undefined;
}
