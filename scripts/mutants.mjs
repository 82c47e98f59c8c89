// Are the tests awake? Each mutant is one changed line in code that must never be wrong; some test must turn red for it. The
// change is made while vitest loads the file, so that no source is touched: two runs, or an editor, do not get in the way.
// By hand: `node scripts/mutants.mjs [part of a name]`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfigFromFile } from "vite";
import { createVitest } from "vitest/node";
import { suites } from "./mutant-list.mjs";
import { root } from "./processes.mjs";

const [part = ""] = process.argv.slice(2);
const { config } = await loadConfigFromFile({ command: "serve", mode: "test" }, join(root, "vitest.config.ts"));
const problems = [];
let killed = 0;

for (const { project, tests, mutants } of suites) {
  const chosen = mutants.filter(({ what }) => `${project}: ${what}`.includes(part));
  if (chosen.length > 0) await tryAll(project, tests, chosen);
}
for (const problem of problems) console.log(` ✗ ${problem}`);
if (problems.length === 0) console.log(` ✓ mutants: each of ${killed} turns a test red`);
if (process.env.HARNESS_TALLY) {
  writeFileSync(process.env.HARNESS_TALLY, JSON.stringify({ passed: killed, failed: problems.length, skipped: [] }));
}
process.exitCode = problems.length === 0 ? 0 : 1;

/** Runs `tests` of `project` as they are, and then once with each mutant. */
async function tryAll(project, tests, mutants) {
  let current;
  const mutate = {
    name: "mutate",
    enforce: "pre",
    transform: (code, id) => (id === current?.path ? code.replace(current.from, () => current.to) : undefined),
  };
  const ordinary = config.test.projects.find(({ test }) => test.name === project);
  const projects = [{ ...ordinary, plugins: [...(ordinary.plugins ?? []), mutate] }];
  const vitest = await createVitest("test", { config: false, root, watch: false, reporters: [{}], bail: 1, projects });
  try {
    const files = await vitest.globTestSpecifications(tests);
    if (files.length === 0 || (await isRed(vitest, files))) {
      problems.push(`the tests of ${project} (${tests.join(", ")}) are missing or fail without a mutant`);
      return;
    }
    for (const mutant of mutants) {
      current = { ...mutant, path: join(root, mutant.file) };
      vitest.invalidateFile(current.path);
      if (!isPlaced(current))
        problems.push(`mutant "${project}: ${mutant.what}": its line is not in ${mutant.file} exactly once`);
      else if (await isRed(vitest, files)) killed += 1;
      else problems.push(`mutant "${project}: ${mutant.what}" turns no test red`);
      vitest.invalidateFile(current.path);
    }
  } finally {
    await vitest.close();
  }
}

async function isRed(vitest, files) {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files);
  return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
}

function isPlaced({ path, from }) {
  return existsSync(path) && readFileSync(path, "utf8").split(from).length === 2;
}
