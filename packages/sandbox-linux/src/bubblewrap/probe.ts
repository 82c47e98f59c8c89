// Whether bubblewrap holds what it is to hold, found out by a command that tries to get out, started exactly as all others will
// be. What counts is what the world looks like afterwards.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { floor } from "@harness/sandbox-floor";
import type { Enforcement, SandboxOutcome } from "@harness/spec";
import { assembleFilter } from "../filter/assemble-filter.js";
import { filterArchitecture } from "../filter/calls.js";
import { unnamedFile } from "../filter/unnamed-file.js";
import type { RungReport } from "../rung.js";
import { systemProgram } from "../system-programs.js";
import { explain } from "./explain.js";
import { featuresOf } from "./features.js";
import { networkHolder } from "./holder.js";
import { thisHost } from "./host.js";
import type { Tools } from "./tools.js";
import { type Network, wrappedCommand } from "./wrapped-command.js";

export interface Probed {
  readonly report: RungReport;
  /** Absent when it does not work. */
  readonly tools?: Tools;
  readonly sharesNetwork: boolean;
}

const backend = "linux-bubblewrap";

/** Never rejects. `find` is where programs are looked for. */
export async function probeBubblewrap(find: typeof systemProgram = systemProgram): Promise<Probed> {
  try {
    const tools = await findTools(find);
    if (typeof tools === "string") return failed(tools);
    const problem = await tried(tools, { type: "own" });
    if (problem !== undefined) return failed(problem);
    const unshared = await triedSharing(tools);
    const gaps = [...gapsOf(tools), ...(unshared === undefined ? [] : [unshared])];
    const report: RungReport = { backend, works: true, problem: null, enforces: enforcesOf(tools), gaps };
    return { report, tools, sharesNetwork: unshared === undefined };
  } catch (error) {
    return failed(`bubblewrap could not be tried: ${error instanceof Error ? error.message : error}`);
  }
}

function failed(problem: string): Probed {
  return { report: { backend, works: false, problem, enforces: {}, gaps: [] }, sharesNetwork: false };
}

async function findTools(find: typeof systemProgram): Promise<Tools | string> {
  if (process.platform !== "linux") return `bubblewrap needs Linux; this is ${process.platform}.`;
  const [bwrap, sh] = [find("bwrap"), find("sh")];
  if (!bwrap) return "bubblewrap is not installed. Install the package bubblewrap, which has the program bwrap.";
  if (!sh) return "bubblewrap cannot be tried without the program sh.";
  const { stdout } = await promisify(execFile)(bwrap, ["--help"], { env: {}, timeout: 10_000, cwd: "/" });
  const features = featuresOf(stdout);
  const architecture = filterArchitecture();
  const filter = architecture && assembleFilter({ architecture, unixSockets: false, network: true });
  if (!features.disableUserns && !filter) {
    return "bubblewrap is too old for this architecture. Install bubblewrap 0.8 or newer.";
  }
  return {
    ...{ bwrap, sh, features, host: thisHost(), filter: filter && unnamedFile(filter) },
    ...{ prlimit: find("prlimit"), nsenter: find("nsenter") },
  };
}

function enforcesOf({ features, filter }: Tools): Partial<Enforcement> {
  const hasFilter = filter !== undefined;
  return {
    ...{ writes: true, reads: true, metadata: true, protectedPaths: true, egress: "all", otherProcesses: true },
    ...{ unixSockets: hasFilter, kernel: hasFilter, privateTemp: true, temp: features.size, treeKill: "kernel" },
  };
}

function gapsOf({ features, filter, prlimit }: Tools): readonly string[] {
  const gaps: string[] = [];
  const older = "Install bubblewrap 0.8 or newer.";
  if (!filter) {
    gaps.push(
      `There is no filter of system calls for ${process.arch}: a command may reach local sockets that it sees.`,
    );
  }
  if (!features.disableUserns) gaps.push(`Only the filter keeps commands from namespaces of their own. ${older}`);
  if (!features.size) gaps.push(`Temporary folders take as much memory as there is. ${older}`);
  if (process.getuid?.() === 0) {
    gaps.push(
      "A command that runs as root can change the modes of /dev/null and its like for the whole machine. Start as an ordinary user, or give the workspace to one.",
    );
  }
  if (!prlimit) gaps.push("The kernel does not bound a command's processes. Install the package util-linux.");
  return gaps;
}

/** Why commands cannot share a network; `undefined` when they can. */
async function triedSharing(tools: Tools): Promise<string | undefined> {
  const words = "Commands of a run have a network each and cannot reach one another";
  if (!tools.nsenter) return `${words}: there is no nsenter. Install the package util-linux.`;
  const holder = networkHolder(tools);
  try {
    const problem = await tried(tools, { type: "shared", pid: await holder.join() });
    return problem && `${words}: ${problem}`;
  } catch (error) {
    return `${words}: ${error instanceof Error ? error.message : error}`;
  } finally {
    await holder.close();
  }
}

/** Each line is an attempt; what can be told only from inside is printed. */
const attempts = `
  echo made > made
  echo escaped > "$1"
  echo escaped > "$2"
  echo escaped > kept
  read -r secret < hidden/secret && echo "$secret"
  while read -r line; do echo "$line"; done < /proc/net/dev
  exit 0`;

/** What does not hold; `undefined` when all does. */
async function tried(tools: Tools, network: Network): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-probe-")));
  const outside = [join(folder, "outside"), join(homedir(), `.${basename(folder)}`)];
  const work = join(folder, "work");
  try {
    furnish(work);
    const outcome = await attempted(tools, network, work, outside);
    return problemIn(outcome, work, outside);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return explain(/\b(?:bwrap|nsenter): .*/.exec(message)?.[0] ?? message);
  } finally {
    for (const path of [folder, ...outside]) rmSync(path, { recursive: true, force: true });
  }
}

function furnish(work: string): void {
  mkdirSync(join(work, "hidden"), { recursive: true });
  writeFileSync(join(work, "hidden", "secret"), "secret\n");
  writeFileSync(join(work, "kept"), "kept");
}

const tempBytes = 1024 * 1024;

function attempted(tools: Tools, network: Network, work: string, outside: readonly string[]): Promise<SandboxOutcome> {
  const places = {
    ...{ writable: [work], pinned: [], protected: [join(work, "kept")], watched: [], warnings: [] },
    hidden: [{ path: join(work, "hidden"), isFolder: true }],
    undo: async () => ({}),
  };
  const sandbox = floor({
    backend,
    environment: {},
    wrap: (request) => wrappedCommand({ ...request, places, tempBytes }, tools, network),
  });
  return sandbox.run({ argv: [tools.sh, "-c", attempts, "sh", ...outside], cwd: work, timeoutMs: 10_000 });
}

function problemIn({ exitCode, stdout }: SandboxOutcome, work: string, outside: readonly string[]): string | undefined {
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined);
  const interfaces = stdout.text.match(/^\s*[^\s:|]+(?=:)/gm)?.map((name) => name.trim()) ?? [];
  if (exitCode !== 0 || textOf(join(work, "made")) !== "made") return "bubblewrap lets no command do its work here.";
  if (outside.some(existsSync)) return "bubblewrap lets commands write outside of their folders here.";
  if (textOf(join(work, "kept")) !== "kept") return "bubblewrap does not protect what lies in a writable folder here.";
  if (/^secret$/m.test(stdout.text)) return "bubblewrap does not hide what is not to be read here.";
  if (interfaces.join() !== "lo") return "bubblewrap does not keep commands from the network here.";
  return undefined;
}
