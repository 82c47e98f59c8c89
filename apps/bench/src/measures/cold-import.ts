// What an import costs a program that does nothing else: the whole process is timed, Node's own start included.
import { spawnSync } from "node:child_process";
import { interleave, timeMs } from "../interleave.js";
import type { Measure } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";

const usualRounds = 25;

export const coldImport: Measure = {
  name: "import",
  async run(plan) {
    const medians = await interleave(
      {
        zod: () => timeMs(() => importing(import.meta.resolve("zod"))),
        core: () => timeMs(() => importing(import.meta.resolve("@harness/core"))),
        anthropic: () => timeMs(() => importing(import.meta.resolve("@harness/providers/anthropic"))),
        umbrella: () => timeMs(() => importing(import.meta.resolve("io-harness"))),
      },
      plan.rounds(usualRounds),
    );
    const baseline = { name: "zod alone", value: medians.zod };
    const row = (name: string, ours: number, limit: number): Row => ({
      name: `a process that imports ${name}`,
      unit: "ms",
      ours,
      baseline,
      target: ratioAtMost(limit),
    });
    return [
      row("@harness/core", medians.core, 1.25),
      row("@harness/providers/anthropic", medians.anthropic, 1.25),
      row("io-harness", medians.umbrella, 1.4),
    ];
  },
};

function importing(url: string): void {
  const { status, stderr } = spawnSync(process.execPath, ["-e", `import(${JSON.stringify(url)})`], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`A process that imports ${url} failed:\n${stderr}`);
}
