// Promises about the cap on processes that live at once. A sandbox may refuse the one too many, or end them all.
import { expect } from "vitest";
import { patient } from "./cap-payloads.js";
import { allGone, lifeline } from "./observe.js";
import { node, sh, waitUntilRemoved } from "./payloads.js";
import { type Case, type Cases, onPosix, type Subject } from "./subject.js";

const withoutProcesses: Case["unless"] = ({ enforces }) =>
  enforces.processes ? undefined : "enforces.processes is false";

/** Node source: starts `sleep` so often at once; prints how often that was refused, and stays. */
const breed = (count: number, options: string) => `let [settled, refused] = [0, 0];
  const settle = () => ++settled === ${count} && console.log("refused", refused);
  for (let n = 0; n < ${count}; n += 1) {
    require("child_process").spawn("sleep", ["60"], { stdio: "ignore", ${options} })
      .on("spawn", settle).on("error", () => { refused += 1; settle(); });
  }
  setInterval(() => require("fs").existsSync(process.cwd()) || process.exit(), 100);`;

async function held({ sandbox, folder }: Subject, argv: [string, ...string[]], maxProcesses: number): Promise<void> {
  const stop = new AbortController();
  let printed = "";
  const onOutput = (_: string, text: string) => {
    printed += text;
    if (/refused [1-9]/.test(printed)) stop.abort();
  };
  const limits = { maxProcesses };
  const outcome = await sandbox.run({ argv, cwd: folder, ...patient, limits, signal: stop.signal, onOutput });

  if (outcome.stopped === "cancelled") expect(outcome.capHit).toBeNull();
  else expect(outcome).toMatchObject({ capHit: "processes", stopped: null, exitCode: null });
}

export const processCapCases: Cases = {
  "holds a command to the number of processes it may have": onPosix(async (subject) => {
    await held(subject, node(breed(40, "")), 20);
  }, withoutProcesses),

  "holds one whose processes lead sessions of their own": onPosix(async (subject) => {
    await held(subject, node(breed(40, "detached: true")), 20);
  }, withoutProcesses),

  "ends a command that doubles itself, and leaves none of them": onPosix(async ({ run, folder }) => {
    using line = lifeline(folder);
    // Comes to 127 processes where nobody stops it.
    const source = `exec 3<>"$1"; printf x >&3
      double() { if [ "$1" -gt 0 ]; then double $(($1 - 1)) & double $(($1 - 1)) & fi; ${waitUntilRemoved}; }
      double 6`;
    const outcome = await run(sh(source, line.path), { ...patient, limits: { maxProcesses: 24 } });

    expect(outcome).toMatchObject({ capHit: "processes", stopped: null, exitCode: null });
    await allGone(line, 1);
  }, withoutProcesses),

  "does not take threads for processes": {
    unless: withoutProcesses,
    prove: async ({ run }) => {
      const source = `const { Worker } = require("worker_threads");
        let left = 6;
        for (let n = 0; n < 6; n += 1) new Worker("setTimeout(() => {}, 200)", { eval: true })
          .on("exit", () => { left -= 1; if (left === 0) console.log("done"); });`;
      const outcome = await run(node(source), { ...patient, limits: { maxProcesses: 3 } });

      expect(outcome).toMatchObject({ capHit: null, exitCode: 0, stdout: { text: "done\n" } });
    },
  },
};
