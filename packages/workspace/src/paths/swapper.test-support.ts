// Another process that exchanges folders and files for links and back, as fast as it can. It holds no mercy and no rule of
// ours: what a test finds then, an agent's own commands could have done.
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Swap {
  /** Absolute. */
  readonly path: string;
  /** What the link that takes its place leads to. */
  readonly target: string;
}

// One after the other, so that each of them also has a moment of peace. What a tool makes while nothing is there stands in the
// way of what was there, and has to go.
const script = `
const fs = require("node:fs");
const swaps = JSON.parse(process.argv[1]);
const attempt = (work) => { try { work(); return true; } catch { return false; } };
process.stdin.on("end", () => process.exit(0)).resume();
let turn = 0;
function round() {
  const { path, target } = swaps[turn % swaps.length];
  for (let count = 0; count < 100; count += 1) {
    attempt(() => fs.renameSync(path, path + "~"));
    attempt(() => fs.symlinkSync(target, path));
    attempt(() => fs.unlinkSync(path));
    if (attempt(() => fs.renameSync(path + "~", path))) continue;
    attempt(() => fs.rmSync(path, { recursive: true, force: true }));
    attempt(() => fs.renameSync(path + "~", path));
  }
  turn += 1;
  if (turn === swaps.length) console.log("swapping");
  setImmediate(round);
}
round();
`;

/** Resolves when it is at work. Disposing of it ends the process, with everything where it was, and waits for that. */
export async function startSwapper(swaps: readonly Swap[]): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, ["-e", script, JSON.stringify(swaps)], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
