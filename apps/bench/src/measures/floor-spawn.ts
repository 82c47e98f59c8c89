// One command on the portable floor, without caps, against the platform's own spawn with its output captured.

import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { floor } from "@harness/sandbox-floor";
import { interleave, timeMs } from "../interleave.js";
import type { Measure } from "../measure.js";
import { ratioAtMost } from "../row.js";

const usualRounds = 150;

export const floorSpawn: Measure = {
  name: "spawn",
  async run(plan) {
    const sandbox = floor();
    const cwd = tmpdir();
    const medians = await interleave(
      {
        bare: () => timeMs(() => bareSpawn("true", cwd)),
        ours: () => timeMs(() => sandbox.run({ argv: ["true"], cwd })),
      },
      plan.rounds(usualRounds),
    );
    const baseline = { name: "child_process.spawn", value: medians.bare };
    return [{ name: "floor, `true`", unit: "ms", ours: medians.ours, baseline, target: ratioAtMost(1.3) }];
  },
};

function bareSpawn(program: string, cwd: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (bytes) => (output.stdout += bytes));
    child.stderr.on("data", (bytes) => (output.stderr += bytes));
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
