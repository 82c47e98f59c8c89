// Attacks on what the machine has for everybody. Each takes more than its cap and little enough to do no harm where no cap holds.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SandboxLimits } from "@harness/spec";
import { type Attack, attack, lineAfter } from "./attack.js";
import { claims } from "./claims.js";

const { cpu, treeCpu, memory, processes, fileSize, privateTemp, temp } = claims;

const mebibyte = 1024 * 1024;

/** The caps of an attack that names no others. Time is ample: what is cut short has not been stopped, only interrupted. */
export const usualLimits: SandboxLimits = {
  maxCpuMs: 20_000,
  maxWallMs: 60_000,
  maxMemoryBytes: 300 * mebibyte,
  maxProcesses: 64,
  maxFileBytes: 64 * mebibyte,
  maxTempBytes: 256 * mebibyte,
  maxOutputBytes: 32 * mebibyte,
};

/** Uses so much CPU time, most of it in the kernel, which is asked how much it was. */
const spin = (ms: number, after: string) =>
  `"$NODE" -e 'for (let c = process.cpuUsage(); c.user + c.system < ${ms}e3; ) c = process.cpuUsage(); ${after}'`;
const leave = (name: string) => `require("fs").writeFileSync("${name}", "")`;

const bomb = `i=0; while [ "$i" -lt 150 ]; do sleep 3 & i=$((i+1)); done; wait; echo ALL`;

const hoard = `for i in 1 2 3 4; do
  "$NODE" -e 'const b = Buffer.alloc(${150 * mebibyte}, 1); setTimeout(() => b.fill(2, 0, 1), 3000)' & done; wait; echo SURVIVED`;

const fill = `mkdir "/dev/shm/$MARK" && for i in 1 2 3 4 5 6 7 8; do
  dd if=/dev/zero of="/dev/shm/$MARK/$i" bs=1048576 count=6 2>/dev/null || break; done
echo "FILLED $(du -sm "/dev/shm/$MARK" 2>/dev/null | cut -f1)"; rm -rf "/dev/shm/$MARK"`;

export const capAttacks: readonly Attack[] = [
  attack({
    id: "write-huge-file",
    title: "write a file of any size",
    line: `dd if=/dev/zero of=big bs=1048576 count=24; ls -l big`,
    limits: { ...usualLimits, maxFileBytes: 16 * mebibyte },
    claims: [fileSize],
    mayBeCutShort: true,
    breach({ scene }) {
      const file = join(scene.workspace, "big");
      const size = existsSync(file) ? statSync(file).size : 0;
      return size > 16 * mebibyte ? `wrote ${size / mebibyte} MiB to one file` : undefined;
    },
  }),
  attack({
    id: "fill-shared-memory",
    title: "take memory by way of a folder that is kept there",
    line: fill,
    limits: { ...usualLimits, maxTempBytes: 32 * mebibyte },
    claims: [privateTemp, temp],
    needs: ["/dev/shm"],
    mayBeCutShort: true,
    breach(attempt) {
      const filled = Number(lineAfter(attempt, "FILLED "));
      return filled > 40 ? `put ${filled} MiB into /dev/shm` : undefined;
    },
  }),
  attack({
    id: "flood-output",
    title: "print without end",
    line: `head -c ${96 * mebibyte} /dev/zero | tr '\\0' y; echo x > flooded`,
    claims: [],
    isHeavy: true,
    mayBeCutShort: true,
    breach: ({ scene, outcome }) =>
      existsSync(join(scene.workspace, "flooded")) && outcome.capHit !== "output" ? "printed 96 MiB" : undefined,
  }),
  attack({
    id: "bomb-with-forks",
    title: "start processes without end",
    line: bomb,
    claims: [processes],
    isHeavy: true,
    mayBeCutShort: true,
    breach: ({ outcome }) => (outcome.stdout.text.includes("ALL") ? "started 150 processes" : undefined),
  }),
  attack({
    id: "hoard-memory",
    title: "take memory in several processes, each of which stays below the cap",
    line: hoard,
    claims: [memory],
    isHeavy: true,
    mayBeCutShort: true,
    breach: ({ outcome }) => (outcome.stdout.text.includes("SURVIVED") ? "held 600 MiB for seconds" : undefined),
  }),
  attack({
    id: "spin-processors",
    title: "use all processors",
    line: `${spin(1_600, leave("one"))} & ${spin(1_600, leave("two"))} & wait`,
    limits: { ...usualLimits, maxCpuMs: 1_000 },
    claims: [cpu],
    isHeavy: true,
    mayBeCutShort: true,
    breach: ({ scene }) =>
      ["one", "two"].some((name) => existsSync(join(scene.workspace, name)))
        ? "used 1.6 s of CPU time in one process"
        : undefined,
  }),
  attack({
    id: "spin-in-turns",
    title: "use processors in one process after another, each of which stays below the cap",
    line: `for i in 1 2 3 4; do ${spin(450, "")} || exit; done; echo x > spun`,
    limits: { ...usualLimits, maxCpuMs: 1_000 },
    claims: [treeCpu],
    isHeavy: true,
    mayBeCutShort: true,
    breach: ({ scene }) => (existsSync(join(scene.workspace, "spun")) ? "used 1.8 s of CPU time in all" : undefined),
  }),
];
