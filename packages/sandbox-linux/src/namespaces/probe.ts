// Whether namespaces hold what they are to hold without bubblewrap, found out by a command that tries to get out, started as all
// others will be. What counts is what the world looks like afterwards.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { floor, makeTempFolder } from "@harness/sandbox-floor";
import type { Enforcement } from "@harness/spec";
import { explain } from "../bubblewrap/explain.js";
import type { RungReport } from "../rung.js";
import { findTools, type Tools } from "./tools.js";
import { wrappedCommand } from "./wrapped-command.js";

export interface Probed {
  readonly report: RungReport;
  /** Absent when they do not work. */
  readonly tools?: Tools;
}

const backend = "linux-namespaces";

/** Never rejects. `found`: for tests. */
export async function probeNamespaces(found: Tools | string = findTools()): Promise<Probed> {
  if (typeof found === "string") return failed(found);
  try {
    const problem = await tried(found);
    if (problem !== undefined) return failed(problem);
    const report = { backend, works: true, problem: null, enforces: enforcesOf(found), gaps: gapsOf(found) };
    return { report, tools: found };
  } catch (error) {
    return failed(explained(error instanceof Error ? error.message : String(error)));
  }
}

/** `message`: of a command that could not be started. */
export function explained(message: string): string {
  const said = /(?:unshare|setpriv|mount): .*|The sandbox could not .*/.exec(message)?.[0] ?? message;
  if (!/unrecognized option/.test(said)) return explain(said, undefined, "unshare");
  return `unshare does not work here (${said}): it is too old. Install util-linux 2.38 or newer.`;
}

function failed(problem: string): Probed {
  return { report: { backend, works: false, problem, enforces: {}, gaps: [] } };
}

function enforcesOf({ launcher }: Tools): Partial<Enforcement> {
  const hasFilter = launcher !== undefined;
  return {
    ...{ writes: true, reads: true, metadata: true, protectedPaths: true, egress: "all", otherProcesses: true },
    ...{ unixSockets: hasFilter, kernel: hasFilter, privateTemp: true, temp: true, treeKill: "kernel" },
  };
}

function gapsOf({ launcher, ip, prlimit }: Tools): readonly string[] {
  const gaps = ["Commands of a run have a network each and cannot reach one another. Install the package bubblewrap."];
  if (!launcher) gaps.push("There is no filter of system calls without Perl. Install the package perl-base.");
  if (!launcher && !ip) gaps.push("The loopback device of a command stays down. Install the package iproute2.");
  if (!prlimit) gaps.push("The kernel does not bound a command's processes. Install the package util-linux.");
  return gaps;
}

/** Each line is an attempt; what can be told only from inside is printed. `$1` is `mount`. */
const attempts = `
  echo made > made
  "$1" -o remount,bind,rw "$PWD/kept"
  echo escaped > kept/file
  "$1" -o remount,bind,rw / && echo REMOUNTED
  read -r secret < hidden/secret && echo "$secret"
  while read -r line; do echo "$line"; done < /proc/net/dev
  exit 0`;

/** What does not hold; `undefined` when all does. */
async function tried(tools: Tools): Promise<string | undefined> {
  const folder = makeTempFolder();
  try {
    const work = realpathSync(folder.path);
    const [kept, hidden] = [join(work, "kept"), join(work, "hidden")];
    for (const path of [kept, hidden]) mkdirSync(path);
    writeFileSync(join(hidden, "secret"), "secret\n");
    const places = {
      ...{ writable: [work], pinned: [], protected: [kept], watched: [], warnings: [] },
      ...{ hidden: [{ path: hidden, isFolder: true }], undo: async () => ({}) },
    };
    const wrap = (request: Parameters<typeof wrappedCommand>[0]) => wrappedCommand(request, tools);
    const sandbox = floor({
      ...{ backend, environment: {}, wrapperSets: ["temp"] },
      wrap: (request) => wrap({ ...request, places, tempBytes: 1024 * 1024 }),
    });
    const argv = [tools.sh, "-c", attempts, "sh", tools.mount] as const;
    const { stdout } = await sandbox.run({ argv, cwd: work, timeoutMs: 20_000 });
    return problemIn(stdout.text, work);
  } finally {
    await folder.remove();
  }
}

function problemIn(printed: string, work: string): string | undefined {
  const made = join(work, "made");
  const interfaces = printed.match(/^\s*[^\s:|]+(?=:)/gm)?.map((name) => name.trim()) ?? [];
  const which = "Namespaces without bubblewrap";
  if (!existsSync(made) || readFileSync(made, "utf8") !== "made\n") return `${which} let no command do its work here.`;
  if (existsSync(join(work, "kept", "file"))) return `${which} do not protect what lies in a writable folder here.`;
  if (printed.includes("REMOUNTED")) return `${which} let commands undo the boundary here.`;
  if (/^secret$/m.test(printed)) return `${which} do not hide what is not to be read here.`;
  if (interfaces.join() !== "lo") return `${which} do not keep commands from the network here.`;
  return undefined;
}
