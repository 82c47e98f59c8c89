// Does the suite see what it is there to see? A sandbox as one would write it in ten minutes, which says that it does
// everything, is put through all of it, and every promise that it breaks must be found.
import { type ChildProcess, spawn } from "node:child_process";
import type { Enforcement, Sandbox, SandboxCommand, SandboxOutcome } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { groups } from "./sandbox/groups.js";
import { type Case, openSubject } from "./sandbox/subject.js";

const everything: Enforcement = {
  ...{ writes: true, reads: true, egress: "host", wall: true, output: true, cpu: "tree", memory: "kernel" },
  ...{ metadata: true, protectedPaths: true, unixSockets: true, otherProcesses: true, kernel: true, privateTemp: true },
  ...{ processes: true, openFiles: true, fileSize: true, temp: true, treeKill: "kernel" },
};

/** More than any command prints that is not meant to be stopped; what floods is not held for ever. */
const mostHeld = 2 ** 26;

/** Waits for the pipes to close, kills the child alone, passes its environment on, counts nothing. */
function naiveSandbox(started: Set<ChildProcess>): Sandbox {
  function start({ argv, cwd, env, signal, timeoutMs, stdin, onOutput }: SandboxCommand) {
    const options = { cwd, env: { ...process.env, ...env }, signal, timeout: timeoutMs };
    const child = spawn(argv[0], argv.slice(1), options as object);
    started.add(child);
    const text = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream]?.on("data", (chunk) => {
        if (text[stream].length < mostHeld) text[stream] += String(chunk);
        onOutput?.(stream, String(chunk));
      });
    }
    child.stdin?.on("error", () => {}).end(stdin);
    const taken = () => ({
      stdout: { text: text.stdout, elidedBytes: 0 },
      stderr: { text: text.stderr, elidedBytes: 0 },
    });
    const outcome = new Promise<SandboxOutcome>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (exitCode, killedBy) => {
        const facts = { backend: "naive", argv, capHit: null, stopped: null, wallMs: 0 };
        resolve({ ...facts, exitCode, signal: killedBy, ...taken() });
      });
    });
    outcome.catch(() => {});
    return { backend: "naive", outcome, take: taken, kill: async () => void child.kill() };
  }

  const spec = 1 as const;
  const run: Sandbox["run"] = async (command) => start(command).outcome;
  return { spec, backend: "naive", enforces: everything, run, spawn: async (command) => start(command) };
}

/** What even this sandbox keeps. */
const kept = new Set([
  "tells the exit code and both streams",
  "names the backend that it declares, and the argv as given",
  "names its backend",
  "hands over every argument as it is, whatever a shell would make of it",
  "finds a program by a path from the working folder",
  "runs in the folder that it is given",
  "closes standard input at once when there is nothing to read",
  "gives the command text and bytes to read",
  "does not mind a command that ends without reading",
  "tells a command killed by a signal from one that exits with a high number",
  "keeps commands that run side by side apart",
  "replaces bytes that are not UTF-8 and keeps control characters",
  "shows output while the command runs",
  "does not end a command that stays within its output cap",
  "passes on what the command lists",
  "sets what the command gives, over what is passed on",
  "leaves the command's own objects and this process's environment as they were",
  "is not moved by a signal that fires when the command has ended",
  "leaves no listener on a signal that outlives its commands",
  "runs a command whose caps it does not hold, and names none of them",
  "does not end a command that stays within its caps",
  "does not take an exit code for a cap, whatever a shell would mean by it",
  "hands over arguments and streams as they are, also with caps",
  "does not count twice what a process shares with its children",
  "does not take threads for processes",
  "lets a file become as long as it may",
  "keeps how it ended when it is killed too late",
  "lets a command write in all of a workspace that is wider than its working folder",
  "lets a read-only command do what readers do: discard output, use temporary files, ask git",
  "runs a command, whatever is odd about a path that is protected or hidden",
  "lets git go on working while its hooks and its configuration are protected",
]);

/** A promise that is not kept by then is broken. */
const patienceMs = 3_000;

async function isBroken({ prove }: Case): Promise<boolean> {
  const started = new Set<ChildProcess>();
  await using subject = await openSubject({ open: () => naiveSandbox(started) });
  const late = new Promise((_, reject) => setTimeout(reject, patienceMs, new Error("late")));
  try {
    return await Promise.race([prove(subject), late]).then(
      () => false,
      () => true,
    );
  } finally {
    for (const child of started) end(child);
  }
}

/** What this sandbox does not stop is stopped here; whatever still prints for the child is left without a reader. */
function end(child: ChildProcess): void {
  child.kill("SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

describe.skipIf(process.platform === "win32")("a naive sandbox [needs POSIX]", () => {
  for (const { title: group, cases } of groups) {
    const broken = Object.entries(cases).filter(([title]) => !kept.has(title));
    if (broken.length === 0) continue;
    describe(group, () => {
      // One at a time: vitest counts an assertion on a promise as the test's that began last.
      it.each(broken)("is found out: %s", { timeout: 60_000 }, async (_, one) => {
        expect(await isBroken(one)).toBe(true);
      });
    });
  }
});
