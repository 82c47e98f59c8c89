// One command on the portable floor, without caps, against the platform's own spawn with its output captured.

import { tmpdir } from "node:os";
import { floor } from "@harness/sandbox-floor";
import { bareSpawn } from "../bare-spawn.js";
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
        bare: () => timeMs(() => bareSpawn(["true"], cwd)),
        ours: () => timeMs(() => sandbox.run({ argv: ["true"], cwd })),
      },
      plan.rounds(usualRounds),
    );
    const baseline = { name: "child_process.spawn", value: medians.bare };
    return [{ name: "floor, `true`", unit: "ms", ours: medians.ours, baseline, target: ratioAtMost(1.3) }];
  },
};
