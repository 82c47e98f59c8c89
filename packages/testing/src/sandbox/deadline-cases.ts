// Promises about a command that is ended from outside: who ended it is told apart, what it printed is kept, and no exit
// status of a stopped command is taken for an answer.
import { getEventListeners } from "node:events";
import { expect } from "vitest";
import { enoughFor } from "./observe.js";
import { node, stay, stubborn, untilRemoved } from "./payloads.js";
import { always, type Case, type Cases, onPosix, type Subject } from "./subject.js";

const withoutWall: Case["unless"] = ({ enforces }) => (enforces.wall ? undefined : "enforces.wall is false");

/** Runs `argv`, and cancels it as soon as it has printed something. */
async function cancelled({ run }: Subject, argv: [string, ...string[]]) {
  const stop = new AbortController();
  const outcome = await run(argv, { signal: stop.signal, onOutput: () => stop.abort("no more") });
  return { outcome, signal: stop.signal };
}

const manyLines = node(`for (let n = 1; n <= 100; n += 1) console.log("line " + n); ${untilRemoved}`);
const hundred = `${Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n")}\n`;

export const deadlineCases: Cases = {
  "calls it a cap when the wall clock that a command may use is up": {
    unless: withoutWall,
    prove: async (subject) => {
      const outcome = await subject.run(manyLines, { limits: { maxWallMs: await enoughFor(1, subject) } });

      expect(outcome).toMatchObject({ capHit: "wall", stopped: null, exitCode: null });
      expect(outcome.stdout.text).toBe(hundred);
    },
  },

  "calls it a timeout when a command did not come back": always(async (subject) => {
    const outcome = await subject.run(manyLines, { timeoutMs: await enoughFor(1, subject) });

    expect(outcome).toMatchObject({ capHit: null, stopped: "timeout", exitCode: null });
    expect(outcome.stdout.text).toBe(hundred);
  }),

  "names the first of two deadlines": {
    unless: withoutWall,
    prove: async ({ run }) => {
      const wall = await run(stay(), { limits: { maxWallMs: 100 }, timeoutMs: 60_000 });
      const timeout = await run(stay(), { limits: { maxWallMs: 60_000 }, timeoutMs: 100 });

      expect(wall).toMatchObject({ capHit: "wall", stopped: null });
      expect(timeout).toMatchObject({ capHit: null, stopped: "timeout" });
    },
  },

  "calls it cancelled when the signal fires, and keeps what was printed": always(async (subject) => {
    const { outcome } = await cancelled(subject, stay());

    expect(outcome).toMatchObject({ capHit: null, stopped: "cancelled", exitCode: null });
    expect(outcome.stdout.text).toBe("ready\n");
  }),

  "does not take a program that answers SIGTERM with success for a success": onPosix(async (subject) => {
    const polite = `process.on("SIGTERM", () => process.exit(0)); console.log("ready"); ${untilRemoved}`;
    const { outcome } = await cancelled(subject, node(polite));

    expect(outcome).toMatchObject({ stopped: "cancelled", exitCode: null });
  }),

  "ends a program that does not listen to SIGTERM": onPosix(async (subject) => {
    const { outcome } = await cancelled(subject, node(`${stubborn} console.log("ready"); ${untilRemoved}`));

    expect(outcome).toMatchObject({ stopped: "cancelled", exitCode: null });
  }),

  "is not moved by a signal that fires when the command has ended": always(async ({ run }) => {
    const stop = new AbortController();
    const outcome = await run(node("process.exitCode = 4"), { signal: stop.signal });
    stop.abort();

    expect(outcome).toMatchObject({ exitCode: 4, stopped: null });
  }),

  "leaves no listener on a signal that outlives its commands": always(async (subject) => {
    const lasting = new AbortController();
    for (let round = 0; round < 3; round += 1) await subject.run(node(""), { signal: lasting.signal });
    const { signal } = await cancelled(subject, stay());

    expect(getEventListeners(lasting.signal, "abort")).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  }),

  "puts one listener on a signal at most, however many commands share it": always(async ({ sandbox, folder }) => {
    const { signal } = new AbortController();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.spawn({ argv: stay(), cwd: folder, signal })),
    );
    const listeners = getEventListeners(signal, "abort").length;
    await Promise.all(all.map((process) => process.kill()));

    expect(listeners).toBeLessThanOrEqual(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  }),
};
