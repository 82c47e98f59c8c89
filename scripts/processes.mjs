// How the scripts start other programs: with the repository's own tools first on the PATH, and either on this terminal, in place
// of this process, or quietly, heard of only when they fail.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const isWindows = process.platform === "win32";

/** What every program started here gets. */
export const environment = {
  ...process.env,
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH,
  HARNESS_NODE: process.version, // named in turbo.json: what one Node line built is not replayed under another
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  ...nodeHeaders(),
};

/** Headers beside this very Node save node-gyp a download. Set always: a configuration may name those of another Node. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, "include", "node", "node.h")) ? { npm_config_nodedir: prefix } : {};
}

/**
 * Runs a Node program on this terminal; resolves to its exit code. An interrupt typed at a terminal reaches the program by
 * itself, and must neither end this process first nor arrive twice; any other wish to stop is passed on.
 */
export function runNode(args, variables = {}) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...environment, ...variables }, stdio: "inherit" });
  const passOn = (signal) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of signals) process.off(name, passOn);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Runs a program without showing what it prints; resolves to its exit code and its output, both streams as they came. */
export function quietly(command, args, { cwd = root, variables = {} } = {}) {
  const env = { ...environment, ...variables };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: isWindows });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** For people, on standard error: standard output belongs to the program that is run. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends a task with a message instead of a stack. */
export class TaskError extends Error {}
