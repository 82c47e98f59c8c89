// One command behind bubblewrap, against bubblewrap itself: the same words in front of the same program, with nobody who looks for
// places, keeps output or sees to it that nothing is left. And how long who is over its memory goes on.

import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { floor, placesOf, type Wrapped } from "@harness/sandbox-floor";
import { linuxRungs, linuxSandbox, type Rung, type RungRequest } from "@harness/sandbox-linux";
import type { Sandbox, SandboxNeeds } from "@harness/spec";
import { interleave, timeMs } from "../interleave.js";
import type { Measure } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";

const usualRounds = 150;
const usualKills = 15;
const backend = "linux-bubblewrap";
/** Where bubblewrap does not work there is nothing to compare with, and the row says why. */
export const containedSpawn: Measure = {
  name: "contained",
  async run(plan) {
    // The temporary folder is the command's own there.
    const workspace = await mkdtemp(join(homedir(), ".harness-bench-"));
    const needs: SandboxNeeds = { workspace, mode: "workspace-write", egress: "deny" };
    const sandbox = await linuxSandbox()(needs);
    const rung = linuxRungs().find((candidate) => candidate.backend === backend);
    try {
      const report = await rung?.probe();
      const rounds = plan.rounds(usualRounds);
      const spawned =
        rung && report?.works
          ? await spawnRow(rung, sandbox, workspace, rounds)
          : await loneRow(sandbox, workspace, rounds, report?.problem ?? "no bubblewrap here");
      return [spawned, await killRow(sandbox, workspace, plan.rounds(usualKills))];
    } finally {
      await sandbox.close?.();
      await rung?.close?.();
      await rm(workspace, { recursive: true, force: true });
    }
  },
};

const timed = (sandbox: Sandbox, cwd: string) => timeMs(() => sandbox.run({ argv: ["true"], cwd }));
const rowFor = ({ backend }: Sandbox) => ({ name: `${backend}, \`true\``, unit: "ms" }) as const;

async function loneRow(sandbox: Sandbox, cwd: string, rounds: number, note: string): Promise<Row> {
  const { ours } = await interleave({ ours: () => timed(sandbox, cwd) }, rounds);
  return { ...rowFor(sandbox), ours, note };
}

async function spawnRow(rung: Rung, sandbox: Sandbox, cwd: string, rounds: number): Promise<Row> {
  const request = await requestFor(rung, cwd);
  const medians = await interleave(
    {
      bare: async () => bareMs(await rung.wrap(request), cwd),
      ours: () => timed(sandbox, cwd),
    },
    rounds,
  );
  const baseline = { name: "bwrap … true, the same words", value: medians.bare };
  return { ...rowFor(sandbox), ours: medians.ours, baseline, target: ratioAtMost(1.3) };
}

/** What the rung is asked for `true`, as the floor asks it. */
async function requestFor(rung: Rung, cwd: string): Promise<RungRequest> {
  const asked: RungRequest[] = [];
  const sandbox = floor({
    backend,
    wrap: async (request) => {
      const places = await placesOf(request.command);
      const whole = { ...request, places, tempBytes: 512 * 1024 * 1024 };
      asked.push(whole);
      return { ...(await rung.wrap(whole)), after: places.undo };
    },
  });
  await sandbox.run({ argv: ["true"], cwd });
  return asked[0] as RungRequest;
}

/** From the spawn until it has ended and its output has been read. */
async function bareMs({ argv, descriptors = [], variables }: Wrapped, cwd: string): Promise<number> {
  const open = descriptors.flatMap((descriptor) => (descriptor.type === "open" ? [descriptor.fd] : []));
  const others = descriptors.map((descriptor) => (descriptor.type === "open" ? descriptor.fd : ("pipe" as const)));
  try {
    return await timeMs(
      () =>
        new Promise<void>((resolve, reject) => {
          const env = { PATH: process.env.PATH, ...variables } as NodeJS.ProcessEnv;
          const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe", ...others] });
          for (const stream of child.stdio) stream?.on("data", () => {});
          child.on("error", reject);
          child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`bwrap ended with ${code}`))));
        }),
    );
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

const mebibyte = 1024 * 1024;

/** Grows by a page-touching mebibyte at a time, tells when it has crossed the cap, and stays. */
const hoarder = `const kept = []; const cap = Number(process.argv[1]);
  const grow = () => {
    kept.push(Buffer.alloc(${mebibyte}, 1));
    if (process.memoryUsage.rss() <= cap) return setTimeout(grow, 1);
    require("fs").writeSync(1, "over"); setInterval(() => {}, 1e6);
  };
  grow();`;

async function killRow(sandbox: Sandbox, cwd: string, rounds: number): Promise<Row> {
  const maxMemoryBytes = 128 * mebibyte;
  const ours = async () => {
    let crossedAt = Number.NaN;
    const onOutput = () => {
      crossedAt = performance.now();
    };
    const argv = [process.execPath, "-e", hoarder, String(maxMemoryBytes)] as const;
    const { capHit } = await sandbox.run({ argv: [...argv], cwd, onOutput, limits: { maxMemoryBytes } });
    if (capHit !== "memory") throw new Error("The cap on memory has not ended its command.");
    // It may be ended before it has told.
    return Number.isNaN(crossedAt) ? 0 : performance.now() - crossedAt;
  };
  const { ours: medianMs } = await interleave({ ours }, rounds);
  return {
    name: "over the memory cap until gone",
    unit: "ms",
    ours: medianMs,
    note: `${(medianMs / 25).toFixed(1)} polls of 25 ms`,
  };
}
