// Makes a fresh clone usable with nothing but Node and npm: fetches the pinned pnpm through npx, installs what the lockfile
// says, and sees to it that the one native addon loads in this Node.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietly, root, say, TaskError } from "./processes.mjs";

const { packageManager, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Resolves once everything is installed. */
export async function bootstrap() {
  checkNode();
  if (!isInstalled()) {
    say("Installing what the lockfile names; the first time this takes a minute or two …");
    await pnpm("install", "--frozen-lockfile", "--reporter=append-only");
  }
  if (!addonLoads()) {
    say(`Compiling better-sqlite3 for Node ${process.version}, which takes about a minute …`);
    await pnpm("rebuild", "-r", "better-sqlite3");
  }
}

function checkNode() {
  const [, wanted] = /(\d+\.\d+)/.exec(engines.node);
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = wanted.split(".").map(Number);
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    throw new TaskError(`This is Node ${process.version}; install Node ${wanted} or newer.`);
  }
}

function isInstalled() {
  const installed = join(root, "node_modules", ".pnpm", "lock.yaml");
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(root, "pnpm-lock.yaml")));
}

// Asked of the addon itself: it may have been built for another Node line, or an install may have ended before it was built.
function addonLoads() {
  try {
    const Database = createRequire(join(root, "packages", "store-sqlite", "package.json"))("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch {
    return false;
  }
}

async function pnpm(...args) {
  // From outside the tree: inside it, npx prefers a half-installed local pnpm to fetching one. `--yes` on the command line,
  // because a configuration may say no.
  const npxArgs = ["--yes", packageManager.split("+")[0], "--dir", root, ...args];
  const { code, output } = await quietly("npx", npxArgs, { cwd: tmpdir() });
  if (code === 0) return;
  if (lacksCompiler(output)) throw new TaskError(compilerAdvice);
  throw new TaskError(`${output}\n\`pnpm ${args.join(" ")}\` failed; what it printed is above.`);
}

const compilerAdvice =
  "better-sqlite3 has to be compiled here, because no prebuilt binary of it can be fetched: install python3, make and a C++ " +
  "compiler (on Debian and Ubuntu: apt-get install python3 make g++; on macOS: xcode-select --install) and run this again.";

/** Whether an install failed because there is nothing here to compile with. Exported for its test. */
export function lacksCompiler(output) {
  const missing = [
    /Could not find any Python/i,
    /not found: make\b/,
    /\b(?:make|g\+\+|gcc|cc|c\+\+|clang\+\+): (?:command )?not found/i,
    /\b(?:g\+\+|gcc|cc|c\+\+|clang\+\+): No such file or directory/i,
    /No Xcode or CLT version detected/,
    /Could not find any Visual Studio/,
  ];
  return missing.some((pattern) => pattern.test(output));
}
