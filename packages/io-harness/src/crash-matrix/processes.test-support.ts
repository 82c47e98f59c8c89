// Starting the program that is killed, so many at a time, and how it ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Order, Report } from "./child.test-support.js";

export type Ended = { readonly type: "killed" } | { readonly type: "reported"; readonly report: Report };

/** A process that has not ended by then hangs. */
const longestMs = 120_000;

/** Runs `program` with `order`. Rejects when it ends in any other way than by its report or by SIGKILL. */
export async function carryOut(program: string, order: Order, killAfterMs?: number): Promise<Ended> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
    killSignal: "SIGTERM",
  });
  const killing = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [said, complained, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  clearTimeout(killing);
  if (signal === "SIGKILL") return { type: "killed" };
  if (code === 0) return { type: "reported", report: JSON.parse(said) };
  throw new Error(`The process for ${JSON.stringify(order)} ended with ${signal ?? code}: ${complained}`);
}

/** Lets at most `most` of what it is given run at once; the others wait in order. */
export function atMost(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
