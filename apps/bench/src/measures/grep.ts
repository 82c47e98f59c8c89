// Searching 50,000 files under a policy, against ripgrep on one thread, which knows the ignore rules and no policy. All files
// are in the page cache by then: what is compared is the work, not the disk.
import { spawnSync } from "node:child_process";
import { Policy } from "io-harness";
import { bareSpawn } from "../bare-spawn.js";
import { type Calling, callTool, toolNamed } from "../call-tool.js";
import { interleave, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";
import { inScratch } from "../scratch.js";
import { writeSourceTree } from "../source-tree.js";

const usualRounds = 7;

const searches = [
  { name: "a literal", pattern: "needleInHaystack", limit: 2.5 },
  { name: "a pattern without one", pattern: String.raw`[a-z]+_\d{4}[A-Z]`, limit: 5 },
] as const;
const needle = "const needleInHaystack = retry_2026Quickly;";

const policy = Policy.permissive()
  .defaults({ read: "deny" })
  .allowRead("*")
  .denyRead("secrets/*", "*.pem", "package-9/module-9/*")
  .askRead("vendor/*");

export const grep: Measure = {
  name: "grep",
  run: (plan) => inScratch((folder) => rowsOf(folder, plan)),
};

async function rowsOf(workspace: string, plan: Plan): Promise<readonly Row[]> {
  writeSourceTree(workspace, needle);
  const calling: Calling = {
    workspace,
    visible: (target) => policy.explain({ type: "read", target }).effect === "allow",
  };
  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  if (hasRipgrep) await ripgrep(needle, workspace);
  const cold = await timeMs(() => ours(needle, calling));
  const rows: Row[] = [{ name: "grep, the first call of a process", unit: "ms", ours: cold }];
  for (const search of searches) rows.push(await rowOf(search, calling, hasRipgrep, plan));
  return rows;
}

async function rowOf(
  { name, pattern, limit }: (typeof searches)[number],
  calling: Calling,
  hasRipgrep: boolean,
  plan: Plan,
): Promise<Row> {
  const row = { name: `grep in 50,000 files, ${name}`, unit: "ms" as const };
  const sampleOurs = () => timeMs(() => ours(pattern, calling));
  const rounds = plan.rounds(usualRounds);
  if (!hasRipgrep) {
    const medians = await interleave({ ours: sampleOurs }, rounds);
    return { ...row, ours: medians.ours, note: "not compared: there is no rg here" };
  }
  assertSame(await ours(pattern, calling), await ripgrep(pattern, calling.workspace));
  const sampleRipgrep = () => timeMs(() => ripgrep(pattern, calling.workspace));
  const medians = await interleave({ rg: sampleRipgrep, ours: sampleOurs }, rounds);
  return { ...row, ours: medians.ours, baseline: { name: "rg -j1", value: medians.rg }, target: ratioAtMost(limit) };
}

const tool = toolNamed("grep");

/** The places of the hits. */
async function ours(pattern: string, calling: Calling): Promise<readonly string[]> {
  return placesIn((await callTool(tool, { pattern }, calling)).text);
}

async function ripgrep(pattern: string, workspace: string): Promise<readonly string[]> {
  const { stdout } = await bareSpawn(["rg", "-j1", "--no-config", "--hidden", "-n", pattern], workspace);
  return placesIn(stdout);
}

function placesIn(report: string): readonly string[] {
  return report.match(/^[^\s(][^:]*:\d+(?=:)/gm) ?? [];
}

/** A search that finds something else does other work. The needle is in no file that the policy hides. */
function assertSame(ours: readonly string[], theirs: readonly string[]): void {
  const [found, expected] = [ours, theirs.toSorted()].map((places) => places.join("\n"));
  if (found !== expected || ours.length === 0) throw new Error(`grep found:\n${found}\nand ripgrep:\n${expected}`);
}
