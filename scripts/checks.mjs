// `npm test`: everything that must hold, in one go. What is not a vitest test counts as one, so that the last line is the whole
// truth: `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietly, root, runNode } from "./processes.mjs";

/** JavaScript of every package and app that changed since it was last built. */
export const build = () => quietly("turbo", ["run", "build", "--output-logs=errors-only"]);

/** Checks the types of everything, tests included, and writes the declarations that packages publish. */
export const typeDeclarations = () => quietly("tsc", ["-b"]);

const before = [
  { name: "build", check: build },
  { name: "types", check: typeDeclarations },
];
const after = [
  { name: "lint and format", check: () => quietly("biome", ["check"]) },
  { name: "unused files, exports and dependencies", check: () => quietly("knip", []) },
];

const mutants = join(root, "scripts", "mutants.mjs");

/** Runs all of it, `args` being handed to vitest; resolves to an exit code. */
export async function testEverything(args) {
  const tallies = [await perform(before), await vitest(args), await perform(after), await tallied([mutants])];
  const skipped = tallies.flatMap((tally) => tally.skipped ?? []);
  const passed = sum(tallies, "passed");
  const failed = sum(tallies, "failed");
  report(skipped);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function perform(checks) {
  let failed = 0;
  for (const { name, check } of checks) {
    const { code, output } = await check();
    console.log(code === 0 ? ` ✓ ${name}` : `${output}\n ✗ ${name}`);
    if (code !== 0) failed += 1;
  }
  return { passed: checks.length - failed, failed };
}

/** One run over all projects. Never cached: a test that was not run has not passed. */
function vitest(args) {
  const program = join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "tally-reporter.mjs")}`];
  return tallied([program, "run", ...reporters, ...args]);
}

/** Runs a program that leaves what it counted in the file that HARNESS_TALLY names. */
async function tallied(program) {
  const folder = mkdtempSync(join(tmpdir(), "harness-test-"));
  const file = join(folder, "tally.json");
  try {
    const code = await runNode(program, { HARNESS_TALLY: file });
    const tally = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 0, skipped: [] };
    // An error outside any test fails the run and no test.
    return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why tests were skipped, a line for each reason. */
function report(skipped) {
  const counts = new Map();
  for (const { suite, reason } of skipped) {
    const line = `${suite}: ${reason}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  if (counts.size > 0) console.log("\nSkipped:");
  for (const [line, count] of counts) console.log(`  ${count} of ${line}`);
}

function sum(tallies, key) {
  return tallies.reduce((total, tally) => total + tally[key], 0);
}
