// A thousand agents in one process, each parked before its last step: what one of them holds of the heap. Its events in the
// store in memory are a part of it. Every round is a process of its own, because a heap remembers what it was used for.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { median } from "../interleave.js";
import type { Measure } from "../measure.js";
import type { ParkedFigures } from "../parked-process.js";
import { appFolder } from "../places.js";
import { atMost } from "../row.js";

const usualRounds = 3;
const program = join(appFolder, "dist", "parked-process.js");

export const parkedAgents: Measure = {
  name: "parked",
  async run(plan) {
    const rounds = Array.from({ length: plan.rounds(usualRounds) }, parkInProcess);
    const of = (figure: keyof ParkedFigures) => median(rounds.map((figures) => figures[figure]));
    return [
      { name: "1,000 agents, parked after 10 steps", unit: "KiB/agent", ours: of("parkedKiB"), target: atMost(64) },
      { name: "1,000 agents, left when all have ended", unit: "KiB/agent", ours: of("leftKiB") },
      { name: "1,000 agents, peak RSS of their process", unit: "MiB", ours: of("peakRssMiB") },
    ];
  },
};

function parkInProcess(): ParkedFigures {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The process of the parked agents failed:\n${stderr}`);
  return JSON.parse(stdout) as ParkedFigures;
}
