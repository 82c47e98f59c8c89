// Promises about the cap on resident memory, which is of the whole tree.
import { expect } from "vitest";
import { hoard, mebibyte, patient, report } from "./cap-payloads.js";
import { alive, allGone, type Lifeline, lifeline } from "./observe.js";
import { node, sh } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const withoutMemory: Case["unless"] = ({ enforces }) =>
  enforces.memory === "none" ? "enforces.memory is none" : undefined;

/** Starts `count` hoarders; each holds the pipe. */
function hoarders(line: Lifeline, count: number, mebibytes: number) {
  const parent = `const { spawn } = require("node:child_process");
    for (let n = 0; n < ${count}; n += 1) spawn(process.execPath, ["-e", process.argv[2], process.argv[1]]);
    setInterval(() => {}, 1000);`;
  return node(parent, line.path, report + hoard(mebibytes));
}

/** Starts a hoarder that has left group, session and parent, and stays. */
function daemon(line: Lifeline) {
  const leave = (body: string) =>
    `require("node:child_process").spawn(process.execPath, ["-e", ${body}, ...process.argv.slice(1)],
      { detached: true, stdio: "ignore" }).unref();`;
  const between = leave("process.argv[2]");
  return node(
    `${leave(JSON.stringify(between))} setInterval(() => {}, 1000);`,
    line.path,
    `${report} setTimeout(() => { ${hoard(160)} }, 100);`,
  );
}

export const memoryCapCases: Cases = {
  "ends a command that holds more memory than it may": {
    unless: withoutMemory,
    prove: async ({ run }) => {
      const limits = { maxMemoryBytes: 128 * mebibyte };
      const outcome = await run(node(`console.log("up"); ${hoard(160)}`), { ...patient, limits });

      expect(outcome).toMatchObject({ capHit: "memory", stopped: null, exitCode: null, stdout: { text: "up\n" } });
    },
  },

  "counts what several processes hold together, and leaves none of them": onPosix(async ({ run, folder }) => {
    using line = lifeline(folder);
    const running = run(hoarders(line, 3, 40), { ...patient, limits: { maxMemoryBytes: 160 * mebibyte } });
    const [outcome] = await Promise.all([running, alive(line, 3)]);

    expect(outcome).toMatchObject({ capHit: "memory", stopped: null, exitCode: null });
    await allGone(line, 3);
  }, withoutMemory),

  "does not count twice what a process shares with its children": onPosix(async ({ run }) => {
    const source = `text=$(head -c 24000000 /dev/zero | tr '\\0' x)
      for n in 1 2 3 4 5 6 7 8; do (sleep 0.7; true) & done; wait; echo done`;
    const outcome = await run(sh(source), { ...patient, limits: { maxMemoryBytes: 144 * mebibyte } });

    expect(outcome).toMatchObject({ capHit: null, exitCode: 0, stdout: { text: "done\n" } });
  }, withoutMemory),

  "finds a daemon that left group, session and parent, and ends it too": onPosix(async ({ run, folder }) => {
    using line = lifeline(folder);
    const running = run(daemon(line), { ...patient, limits: { maxMemoryBytes: 160 * mebibyte } });
    const [outcome] = await Promise.all([running, alive(line, 1)]);

    expect(outcome).toMatchObject({ capHit: "memory", stopped: null, exitCode: null });
    await allGone(line, 1);
  }, withoutMemory),
};
