// One command with caps that the kernel holds, against the program that sets them, started by the platform's own spawn.

import { tmpdir } from "node:os";
import { floor } from "@harness/sandbox-floor";
import type { SandboxLimits } from "@harness/spec";
import { bareSpawn } from "../bare-spawn.js";
import { interleave, timeMs } from "../interleave.js";
import type { Measure } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";

const usualRounds = 150;

interface Capped {
  readonly name: string;
  readonly limits: SandboxLimits;
  /** What the floor asks of `prlimit` for them. */
  readonly options: readonly string[];
}

const kinds: readonly Capped[] = [
  { name: "a CPU cap", limits: { maxCpuMs: 60_000 }, options: ["--core=0", "--cpu=60:61"] },
  { name: "a descriptor cap", limits: { maxOpenFiles: 512 }, options: ["--core=0", "--nofile=512:513"] },
];

/** Where there is no `prlimit` to compare with, the rows say so and have no verdict. */
export const cappedSpawn: Measure = {
  name: "capped",
  async run(plan) {
    const hasBaseline = await bareSpawn(["prlimit", "--version"], cwd).then(
      () => true,
      () => false,
    );
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(await rowOf(kind, plan.rounds(usualRounds), hasBaseline));
    return rows;
  },
};

const cwd = tmpdir();

async function rowOf({ name, limits, options }: Capped, rounds: number, hasBaseline: boolean): Promise<Row> {
  const sandbox = floor();
  const bare = () => timeMs(() => bareSpawn(["prlimit", ...options, "--", "true"], cwd));
  const ours = () => timeMs(() => sandbox.run({ argv: ["true"], cwd, limits }));
  const row = { name: `floor with ${name}, \`true\``, unit: "ms" } as const;
  if (!hasBaseline) return { ...row, ours: (await interleave({ ours }, rounds)).ours, note: "no prlimit here" };
  const medians = await interleave({ bare, ours }, rounds);
  const baseline = { name: "prlimit … true", value: medians.bare };
  return { ...row, ours: medians.ours, baseline, target: ratioAtMost(1.3) };
}
