// The tasks of the repository, for a machine with nothing but Node and npm: `node scripts/run.mjs <task> [arguments]`.
// package.json calls it; every task first installs what is missing.
import { bootstrap } from "./bootstrap.mjs";
import { build, testEverything, typeDeclarations } from "./checks.mjs";
import { quietly, runNode, say, TaskError } from "./processes.mjs";

/** How a person here calls the command line, so that what it prints can be typed as it stands. */
const asPrinted = { HARNESS_COMMAND_PREFIX: "npm run -s harness --" };

const tasks = {
  start: async (args) => {
    await succeed(build);
    return runNode(["apps/demo/dist/index.js", ...args], asPrinted);
  },
  test: testEverything,
  build: async () => {
    await succeed(build);
    await succeed(typeDeclarations);
    return 0;
  },
  "check:pkg": async () => {
    await succeed(build);
    await succeed(typeDeclarations);
    await succeed(() => quietly("turbo", ["run", "check:pkg", "--output-logs=errors-only"]));
    say("Every package is fit to be published.");
    return 0;
  },
  bench: async (args) => {
    await succeed(build);
    return runNode(["apps/bench/dist/index.js", ...args]);
  },
  // Prints nothing of its own on standard output: `npm run -s harness -- trace --json` is read by programs.
  harness: async (args) => {
    await succeed(build);
    return runNode(["apps/cli/dist/index.js", ...args], asPrinted);
  },
};

async function succeed(step) {
  const { code, output } = await step();
  if (code !== 0) throw new TaskError(output);
}

const [name = "", ...args] = process.argv.slice(2);
try {
  const task = tasks[name];
  if (!task) throw new TaskError(`There is no task ${JSON.stringify(name)}. Tasks: ${Object.keys(tasks).join(", ")}.`);
  await bootstrap();
  process.exitCode = await task(args);
} catch (error) {
  if (!(error instanceof TaskError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
