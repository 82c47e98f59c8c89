import { SandboxError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { Report } from "./check.js";
import { environmentCheck } from "./check-environment.js";
import { nodeCheck } from "./check-node.js";
import { sandboxCheck, sandboxReport } from "./check-sandbox.js";
import { terminalCheck } from "./check-terminal.js";
import { toolsCheck, versionIn } from "./check-tools.js";
import { answering, fakeMachine, loose } from "./machine.test-support.js";

function lines({ findings }: Report): readonly string[] {
  return findings.map(({ status, name, text }) => `${status} ${name}: ${text}`);
}

describe("what the doctor says of Node", () => {
  it.each([
    ["v20.19.0", true],
    ["v20.20.0", true],
    ["v22.0.0", true],
    ["v24.0.0-nightly2026", true],
    ["v20.18.9", false],
    ["v18.99.99", false],
  ])("of %s is whether it is new enough: %s", async (version, isSupported) => {
    const { node } = fakeMachine();
    const report = await nodeCheck.examine(fakeMachine({ node: { ...node, version } }));

    expect(report.facts).toMatchObject({ version, isSupported, platform: "linux", arch: "x64" });
    expect(report.findings[0]).toMatchObject(
      isSupported ? { status: "ok" } : { status: "problem", advice: "Install Node 20.19.0 or later." },
    );
  });
});

describe("what the doctor says of the sandbox", () => {
  const ran = { type: "ran", wallMs: 1 } as const;

  it("is what it does not keep from a command, and which caps it holds", async () => {
    expect(lines(await sandboxCheck.examine(fakeMachine()))).toEqual([
      "ok backend: played; `node --version` in it took 7 ms",
      "note writes: not confined: a command can write wherever you can",
      "note modes: not confined: a command can change modes and times of whatever is yours",
      "note protected: not kept: a command can change git's hooks and settings in the workspace, which you run later",
      "note reads: not confined: a command can read whatever you can",
      "note temporary: shared: a command can leave files where everybody's are",
      "note sockets: not confined: a command can talk to agents, container daemons and the desktop as you can",
      "note processes: not confined: a command can see yours, and may signal them and look into them",
      "note kernel: not confined: a command can ask of it whatever you may",
      "note network: not confined: a command can reach any host",
      "ok clean-up: what a command started is looked for and ended; what hides well can survive",
      "plain caps: time, output",
      "plain no caps on: CPU time, memory, processes, open files, file size, temporary files",
    ]);
  });

  it("claims what a stricter one claims, and no more", () => {
    const strict = {
      ...loose,
      writes: true,
      reads: true,
      egress: "host",
      metadata: true,
      protectedPaths: true,
      unixSockets: true,
      otherProcesses: true,
      kernel: true,
      privateTemp: true,
      cpu: "process",
      memory: "poll",
      processes: true,
      openFiles: true,
      fileSize: true,
      temp: true,
      treeKill: "kernel",
    } as const;
    const said = lines(sandboxReport({ backend: "strict", enforces: strict }, ran));

    expect(said.filter((line) => line.startsWith("note"))).toEqual([]);
    expect(said.at(-1)).toBe(
      "plain caps: time, output, CPU time (of each process), memory (looked at from time to time), processes, open files, file size, temporary files",
    );
    expect(lines(sandboxReport({ backend: "shy", enforces: { ...strict, egress: "advisory" } }, ran))).toContain(
      "note network: asked not to: a command that ignores the proxy settings reaches any host",
    );
  });

  it("is why nothing stronger holds commands here, what would help, and what the one that is taken lacks", () => {
    const rung = { works: true, problem: null, gaps: [] };
    const rungs = [
      { ...rung, backend: "first", works: false, problem: "It is not here; install it." },
      { ...rung, backend: "second" },
      { ...rung, backend: "third", gaps: ["Half of it is missing."] },
      { ...rung, backend: "fourth", works: false, problem: "It is not here either." },
    ];
    const boundary = { roots: [], missing: ["Everything."] };
    const report = sandboxReport({ backend: "third", enforces: loose, boundary }, ran, rungs);
    const notes = (said: Report) => lines(said).filter((line) => /^note (stronger|missing)/.test(line));

    expect(notes(report)).toEqual([
      "note stronger: first: It is not here; install it.",
      "note stronger: second: works, and does not suit what runs ask",
      "note missing: Half of it is missing.",
    ]);
    expect(report.facts).toMatchObject({ backend: "third", rungs, missing: ["Everything."] });
    expect(notes(sandboxReport({ backend: "floor", enforces: loose, boundary }, ran, rungs))).toHaveLength(4);
    expect(notes(sandboxReport({ backend: "floor", enforces: loose, boundary }, ran))).toEqual([
      "note missing: Everything.",
    ]);
  });

  it.each([
    ["it cannot be set up", () => Promise.reject(new SandboxError("setup-failed", "There is no bwrap.")), "no bwrap"],
    [
      "a command does not end",
      () => ({ exitCode: null, stopped: "timeout" }) as const,
      "did not end within 15 seconds",
    ],
    ["a command fails in it", () => ({ exitCode: 127, stderr: "no libc" }), 'exited 127 and said "no libc"'],
    ["a command says another thing", () => ({ stdout: "v1.0.0" }), 'exited 0 and said "v1.0.0"'],
  ])("is a problem when %s", async (_how, answer, said) => {
    const { findings } = await sandboxCheck.examine(fakeMachine({ sandbox: answering(answer) }));

    expect(findings[0]).toMatchObject({ status: "problem", text: expect.stringContaining(said) });
  });
});

describe("what the doctor says of tools", () => {
  it("is which are here in which version, which are not, and which are broken; none is a problem", async () => {
    const sandbox = answering(({ argv: [name] }) => {
      if (name === "git") return { stdout: "git version 2.43.0 (Apple Git-1)\n" };
      if (name === "go") return { stdout: "go version go1.26.8 linux/amd64\n" };
      if (name === "make") return { stdout: "nameless\n" };
      if (name === "pnpm") return { exitCode: 1, stderr: "no network" };
      if (name === "mvn") return { exitCode: null, stopped: "timeout" };
      throw new SandboxError("unavailable", `There is no ${name}.`);
    });
    const report = await toolsCheck.examine(fakeMachine({ sandbox }));

    expect(lines(report)).toEqual([
      "plain found: git 2.43.0, go 1.26.8, make",
      expect.stringMatching(/^plain not found: node, npm, yarn, .*cmake$/),
      "note pnpm: is there, and does not work: no network",
      "note mvn: is there, and does not work: no answer within 4 s",
    ]);
  });

  it("is found out a few at a time, without anything being fetched", async () => {
    let running = 0;
    let most = 0;
    const sandbox = answering(async ({ env, mode, timeoutMs }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      expect({ env, mode, timeoutMs }).toMatchObject({
        env: { COREPACK_ENABLE_NETWORK: "0", GOTOOLCHAIN: "local" },
        mode: "read-only",
        timeoutMs: 4_000,
      });
      return { stdout: "1.2.3" };
    });
    const { facts } = await toolsCheck.examine(fakeMachine({ sandbox }));

    expect(most).toBe(4);
    expect(facts).toMatchObject({ tools: expect.arrayContaining([{ name: "make", type: "found", version: "1.2.3" }]) });
    expect(JSON.stringify(facts)).not.toContain("broken");
  });

  it.each([
    ["Python 3.12.3", "3.12.3"],
    ["cmake version 3.25.1\n\nCMake suite", "3.25.1"],
    ["ruby 3.3.0-preview1.", "3.3.0-preview1"],
    ["nothing", null],
  ])("%j says version %j", (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});

describe("what the doctor says of the terminal and the environment", () => {
  it.each([
    [{ isTTY: true, columns: 100 }, {}, ["a terminal, 100 columns wide", "yes"]],
    [{ isTTY: true, columns: 0 }, { TERM: "dumb" }, ["a terminal, of unknown width", "no: TERM is dumb"]],
    [{}, {}, ["not a terminal: lines of any length", "no"]],
    [{}, { FORCE_COLOR: "1" }, ["not a terminal: lines of any length", "yes"]],
    [{ isTTY: true, columns: 80 }, { NO_COLOR: "1" }, ["a terminal, 80 columns wide", "no: NO_COLOR is set"]],
  ])("is what it takes it for: %j with %j", async (out, env, texts) => {
    const report = await terminalCheck.examine(fakeMachine({ out: { write: () => {}, ...out }, env }));

    expect(report.findings.map(({ text }) => text)).toEqual(texts);
  });

  it("is which variables are set, and never a value", async () => {
    const env = { HARNESS_HOME: "/a-secret-place", HOME: "/home/a-name", NO_COLOR: "" };
    const report = await environmentCheck.examine(fakeMachine({ env }));

    expect(report.facts).toMatchObject({ set: ["HARNESS_HOME", "HOME"], unset: expect.arrayContaining(["NO_COLOR"]) });
    expect(JSON.stringify(report)).not.toMatch(/a-secret-place|a-name/);
  });
});
