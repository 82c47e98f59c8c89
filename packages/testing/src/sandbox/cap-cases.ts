// Caps beyond wall clock and output. Where a sandbox says that it holds one, it is tried; where it says that it does not,
// asking for it changes nothing and it is never named.
import type { SandboxLimits } from "@harness/spec";
import { expect } from "vitest";
import { node, untilRemoved } from "./payloads.js";
import { always, type Case, type Cases, onPosix } from "./subject.js";

const mebibyte = 1024 * 1024;
/** For a command that a broken cap would let run for ever. */
const patient = { timeoutMs: 60_000 };

/** Every cap that is not wall clock or output, set so low that a Node program is over it. */
const unbearable: SandboxLimits = {
  maxCpuMs: 1,
  maxMemoryBytes: 1024,
  maxProcesses: 1,
  maxOpenFiles: 1,
  maxFileBytes: 1,
  maxTempBytes: 1,
};

const holdsAny: Case["unless"] = ({ enforces: { cpu, memory, processes, openFiles, fileSize } }) =>
  cpu !== "none" || memory !== "none" || processes || openFiles || fileSize
    ? "some of these caps are enforced"
    : undefined;

export const capCases: Cases = {
  "runs a command whose caps it does not hold, and names none of them": {
    unless: holdsAny,
    prove: async ({ run, written }) => {
      const outcome = await run(node(`require("fs").writeFileSync("made", "more than a byte")`), {
        limits: unbearable,
      });

      expect(outcome).toMatchObject({ exitCode: 0, signal: null, capHit: null, stopped: null });
      expect(await written("made")).toBe("more than a byte");
    },
  },

  "does not start for a cap that is no number": always(async ({ run, written }) => {
    for (const limit of [Number.NaN, -1]) {
      const limits = { maxWallMs: limit, maxOutputBytes: limit };
      await expect(run(node(`require("fs").writeFileSync("made", "")`), { limits })).rejects.toMatchObject({
        code: "sandbox-failed",
      });
    }
    expect(await written("made")).toBeUndefined();
  }),

  "ends a command that uses more CPU time than it may": {
    unless: ({ enforces }) => (enforces.cpu === "none" ? "enforces.cpu is none" : undefined),
    prove: async ({ run }) => {
      const burn = `while (require("fs").existsSync(process.cwd()));`;
      const outcome = await run(node(burn), { ...patient, limits: { maxCpuMs: 1_000 } });

      expect(outcome).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null });
    },
  },

  "ends a command that holds more memory than it may": {
    unless: ({ enforces }) => (enforces.memory === "none" ? "enforces.memory is none" : undefined),
    prove: async ({ run }) => {
      const hoard = `const all = []; setInterval(() => all.length < 32 && all.push(Buffer.alloc(16 * ${mebibyte}, 1)), 10);`;
      const limits = { maxMemoryBytes: 192 * mebibyte };
      const outcome = await run(node(hoard + untilRemoved), { ...patient, limits });

      expect(outcome).toMatchObject({ capHit: "memory", stopped: null });
    },
  },

  "holds a command to the number of processes it may have": onPosix(
    async ({ run }) => {
      const breed = `const all = []; let [started, settled] = [0, 0];
        const settle = () => ++settled === 60 && process.stdout.write(String(started), () => {
          for (const child of all) child.kill();
          process.exit(0);
        });
        for (let n = 0; n < 60; n += 1) {
          const child = require("child_process").spawn("sleep", ["60"], { stdio: "ignore" });
          all.push(child.on("spawn", () => { started += 1; settle(); }).on("error", settle));
        }`;
      const { capHit, stdout } = await run(node(breed), { ...patient, limits: { maxProcesses: 32 } });

      if (capHit !== "processes") expect(Number(stdout.text)).toBeLessThan(32);
    },
    ({ enforces }) => (enforces.processes ? undefined : "enforces.processes is false"),
  ),

  "holds a command to the number of files it may have open": {
    unless: ({ enforces }) => (enforces.openFiles ? undefined : "enforces.openFiles is false"),
    prove: async ({ run }) => {
      const open = `let count = 0; try { for (; count < 1000; count += 1) require("fs").openSync(process.execPath); } catch {}
        process.stdout.write(String(count));`;
      const outcome = await run(node(open), { ...patient, limits: { maxOpenFiles: 128 } });

      expect(Number(outcome.stdout.text)).toBeLessThanOrEqual(128);
    },
  },

  "holds a command to the size that a file may have": {
    unless: ({ enforces }) => (enforces.fileSize ? undefined : "enforces.fileSize is false"),
    prove: async ({ run, written }) => {
      const grow = `const { writeFileSync } = require("fs");
        writeFileSync("small", "x"); writeFileSync("made", "x".repeat(4 * ${mebibyte}));`;
      await run(node(grow), { ...patient, limits: { maxFileBytes: mebibyte } });

      expect(await written("small")).toBe("x");
      expect((await written("made"))?.length ?? 0).toBeLessThanOrEqual(mebibyte);
    },
  },
};
