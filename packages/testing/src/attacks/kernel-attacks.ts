// Attacks on the kernel and on what it keeps apart: mounts, namespaces, tracing, devices, settings. Each asks for something and
// gives it back: calls have arguments that the kernel refuses, settings are written as they are, devices are harmless ones.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Attack, type Attempt, attack, lineAfter } from "./attack.js";
import { claims } from "./claims.js";

const { kernel } = claims;

const said = (start: string, words: string) => (attempt: Attempt) => {
  const what = lineAfter(attempt, start);
  return what === undefined ? undefined : `${words} ${what}`.trim();
};

/** Python source: sockets that reach past the network, by family, type and protocol. */
const oddSockets = `import socket
for name, family, kind, protocol in (("vsock", 40, 1, 0), ("packet", 17, 3, 0), ("alg", 38, 5, 0), ("raw", 2, 3, 1)):
    try:
        socket.socket(family, kind, protocol)
        print("MADE", name)
    except OSError as error:
        print(name, error.errno)`;

/**
 * Python source. The numbers are those of x86-64 and of arm64. An answer other than these means that the kernel has looked at the
 * arguments, and all of those are wrong or ask for nothing.
 */
const oddCalls = `import ctypes, os
calls = (("io_uring_setup", 425, 425, (1, 0)), ("bpf", 321, 280, (0, 0, 0)), ("keyctl", 250, 219, (0, -3, 0)),
  ("perf_event_open", 298, 241, (0, 0, 0, 0, 0)), ("userfaultfd", 323, 282, (0,)), ("kexec_load", 246, 104, (0, 0, 0, 0xff00)),
  ("open_by_handle_at", 304, 265, (0, 0, 0)), ("process_vm_readv", 310, 270, (os.getppid(), 0, 0, 0, 0, 0)))
libc = ctypes.CDLL(None, use_errno=True)
for name, x64, arm64, arguments in calls:
    number = {"x86_64": x64, "aarch64": arm64}.get(os.uname().machine)
    if number is None: break
    result = libc.syscall(number, *[ctypes.c_long(a) for a in arguments])
    error = ctypes.get_errno() if result < 0 else 0
    print(name if error in (1, 13, 38) else "REACHED " + name, error)`;

/** Python source: `getpid` by the interrupt of 32-bit programs, which a filter for 64-bit numbers alone does not see. */
const foreignCall = `import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=7)
code.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
print("ANSWERED" if answer > 0 else "refused")`;

function corePattern(): string | undefined {
  const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  return /^[|/]/.test(pattern) ? "this machine hands core dumps to a program or a folder of its own" : undefined;
}

const knobs = `for f in /proc/sys/kernel/core_pattern /proc/sys/fs/file-max; do
  v=$(cat "$f") && printf %s "$v" > "$f" && echo "KNOB $f"; done
[ -f /proc/sysrq-trigger ] && [ -w /proc/sysrq-trigger ] && echo "KNOB /proc/sysrq-trigger"
mkdir "/sys/fs/cgroup/$MARK" && echo "KNOB /sys/fs/cgroup" && rmdir "/sys/fs/cgroup/$MARK"`;

const devices = `mknod null c 1 3 && echo "DEVICE of its own"
for d in /dev/mem /dev/vda /dev/sda /dev/nvme0n1 /dev/mmcblk0 /dev/disk0; do
  [ -e "$d" ] && head -c1 "$d" >/dev/null && echo "DEVICE $d"; done`;

export const kernelAttacks: readonly Attack[] = [
  attack({
    id: "mount",
    title: "mount a file system",
    line: `mount -t tmpfs t "$OUT/mnt" && grep -q "$OUT/mnt" /proc/self/mountinfo && echo MOUNTED; umount "$OUT/mnt" 2>/dev/null`,
    claims: [kernel],
    needs: ["linux", "mount"],
    breach: said("MOUNTED", "mounted a file system"),
  }),
  attack({
    id: "make-namespace",
    title: "become superuser of a namespace of its own",
    line: `unshare -Ur true && echo NAMESPACE`,
    claims: [kernel],
    needs: ["linux", "unshare"],
    breach: said("NAMESPACE", "made a namespace"),
  }),
  attack({
    id: "join-namespaces",
    title: "join the namespaces of processes outside",
    line: `for p in 1 "$HARNESS" "$VICTIM"; do nsenter -t "$p" -m sh -c 'echo x > "$OUT/joined"'; done`,
    claims: [kernel],
    needs: ["linux", "nsenter"],
    breach: ({ scene }) => (existsSync(join(scene.outside, "joined")) ? "wrote from another namespace" : undefined),
  }),
  attack({
    id: "trace-own-process",
    title: "trace a process of its own",
    line: `strace -o /dev/null true && echo TRACED`,
    claims: [kernel],
    needs: ["linux", "strace"],
    breach: said("TRACED", "traced a process"),
  }),
  attack({
    id: "open-odd-sockets",
    title: "make sockets that reach past the network: virtual machines, raw packets, the kernel's ciphers",
    line: `"$PYTHON" -c '${oddSockets}'`,
    claims: [kernel],
    needs: ["linux", "python3"],
    breach: said("MADE", "made a socket of the family"),
  }),
  attack({
    id: "make-odd-calls",
    title: "make system calls that no ordinary work needs",
    line: `"$PYTHON" -c '${oddCalls}'`,
    claims: [kernel],
    needs: ["linux", "python3"],
    unless: () => (["x64", "arm64"].includes(process.arch) ? undefined : "its numbers are those of x86-64 and arm64"),
    breach: said("REACHED", "the kernel answered"),
  }),
  attack({
    id: "make-foreign-calls",
    title: "make system calls as a 32-bit program does",
    line: `"$PYTHON" -c '${foreignCall}'`,
    claims: [kernel],
    needs: ["linux", "x64", "python3"],
    breach: said("ANSWERED", "the kernel answered"),
  }),
  attack({
    id: "gain-privilege",
    title: "gain privileges by a program that changes its user",
    line: `cp /bin/sh ./s && chmod u+s ./s && ./s -p -c 'grep -E "^(CapEff|NoNewPrivs)" /proc/self/status'`,
    claims: [kernel],
    needs: ["linux"],
    breach(attempt) {
      const [capabilities, isFixed] = [lineAfter(attempt, "CapEff:"), lineAfter(attempt, "NoNewPrivs:")];
      if (capabilities && /[^0]/.test(capabilities)) return `has the capabilities ${capabilities}`;
      return isFixed === "0" ? "a program that changes its user may gain privileges" : undefined;
    },
  }),
  attack({
    id: "use-devices",
    title: "make a device, or read a raw one",
    line: devices,
    claims: [kernel],
    breach: said("DEVICE ", "used the device"),
  }),
  attack({
    id: "turn-kernel-knobs",
    title: "change settings of the kernel",
    line: knobs,
    claims: [kernel],
    needs: ["linux"],
    breach: said("KNOB", "may write"),
  }),
  attack({
    id: "dump-core",
    title: "leave a core dump, which may hold secrets or start a program",
    line: `ulimit -c unlimited 2>/dev/null; sh -c 'kill -SEGV $$'`,
    claims: [kernel],
    needs: ["linux"],
    unless: corePattern,
    breach: ({ scene }) =>
      readdirSync(scene.workspace).some((name) => name.startsWith("core")) ? "left a core dump" : undefined,
  }),
];
