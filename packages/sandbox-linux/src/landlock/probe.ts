// Whether Landlock holds on this machine: its version is asked for, then a command is held by the strictest set of rules and tries
// what it must be able to do and what it must not.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { floor, makeTempFolder, type Wrapped } from "@harness/sandbox-floor";
import type { Enforcement } from "@harness/spec";
import type { RungReport, RungRequest } from "../rung.js";
import { findLauncher, type Launcher } from "./launcher-tools.js";
import { launcherVariables } from "./launcher-words.js";

export interface LandlockTools extends Launcher {
  /** The version of the kernel's interface. */
  readonly abi: number;
}

export interface Probed {
  readonly report: RungReport;
  /** Present where it works. */
  readonly tools?: LandlockTools;
}

export type WrapByLandlock = (request: RungRequest, tools: LandlockTools) => Wrapped;

const backend = "linux-landlock";

/** Never rejects. */
export async function probeLandlock(wrap: WrapByLandlock): Promise<Probed> {
  try {
    const launcher = findLauncher();
    if ("problem" in launcher) return failed(launcher.problem);
    const tools = { ...launcher, abi: await askVersion(launcher.perl) };
    await attempt(tools, wrap);
    return {
      tools,
      report: { backend, works: true, problem: null, enforces: enforcedBy(tools.abi), gaps: gapsOf(tools.abi) },
    };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(problem: string): Probed {
  return { report: { backend, works: false, problem, enforces: {}, gaps: [] } };
}

const askForVersion = `my $abi = syscall(444, 0, 0, 1); print $abi > 0 ? $abi : "$!"`;

async function askVersion(perl: string): Promise<number> {
  const options = { env: { ...launcherVariables }, cwd: "/", timeout: 10_000 };
  const { stdout } = await promisify(execFile)(perl, ["-f", "-T", "-C0", "-e", askForVersion], options);
  if (/^\d+$/.test(stdout)) return Number(stdout);
  throw new Error(
    `The kernel has no Landlock (${stdout}): it takes Linux 5.13 with landlock among its security modules.`,
  );
}

/** A shell's line. \`$1\` is Perl, \`$2\` a port. */
const line = `echo x > made; echo x > ../outside/made
"$1" -e 'socket(my $s, 2, 1, 0); connect($s, pack("S n C4 x8", 2, shift, 127, 0, 0, 1))' "$2" 2>/dev/null; echo x > done`;

/** Throws when what it must be able to do was refused, or what it must not came off. */
async function attempt(tools: LandlockTools, wrap: WrapByLandlock): Promise<void> {
  const folder = makeTempFolder();
  try {
    const [inside, outside] = [join(folder.path, "inside"), join(folder.path, "outside")];
    for (const path of [inside, outside]) mkdirSync(path);
    const places = { ...noPlaces, writable: [inside] };
    const held = floor({ backend, wrap: (request) => wrap({ ...request, places, tempBytes: 0 }, tools) });
    const dials = await countingDials(async (port) => {
      await held.run({ argv: ["/bin/sh", "-c", line, "sh", tools.perl, String(port)], cwd: inside, timeoutMs: 20_000 });
    });
    if (!existsSync(join(inside, "done"))) throw new Error("A command held by Landlock could not write where it may.");
    if (existsSync(join(outside, "made"))) throw new Error("A command held by Landlock could write outside.");
    if (dials > 0) throw new Error("A command held by Landlock could reach the network.");
  } finally {
    await folder.remove();
  }
}

const noPlaces = {
  ...{ writable: [], protected: [], pinned: [], hidden: [], watched: [], warnings: [] },
  undo: async () => ({}),
};

async function countingDials(body: (port: number) => Promise<void>): Promise<number> {
  let dials = 0;
  const server = createServer((socket) => {
    dials += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  try {
    await body((server.address() as { port: number }).port);
    return dials;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

export function enforcedBy(abi: number): Partial<Enforcement> {
  return {
    // Before that nothing keeps a command from emptying a file.
    writes: abi >= 3,
    ...{ reads: false, metadata: false, protectedPaths: false, otherProcesses: false },
    ...{ egress: "all", unixSockets: true, kernel: true, privateTemp: true, treeKill: "walk" },
  };
}

/** Beside what `enforcedBy` says. */
export function gapsOf(abi: number): readonly string[] {
  const gaps = [
    "With the network denied commands cannot use the loopback device either.",
    "Commands cannot share memory by name or open a new terminal.",
  ];
  if (abi >= 6) gaps.push("Other processes can be seen, but neither signalled nor traced.");
  if (abi < 3) gaps.push("This kernel cannot keep files from being emptied. Linux 6.2 can.");
  if (abi < 2) gaps.push("Nothing can be moved from one folder to another. From Linux 5.19 on it can.");
  return gaps;
}
