// Promises about the cap on CPU time, user and system together.
import { expect } from "vitest";
import { burn, patient, report } from "./cap-payloads.js";
import { alive, allGone, lifeline } from "./observe.js";
import { node, sh } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const withoutCpu: Case["unless"] = ({ enforces }) => (enforces.cpu === "none" ? "enforces.cpu is none" : undefined);
const withoutTree: Case["unless"] = ({ enforces }) =>
  enforces.cpu === "tree" ? undefined : `enforces.cpu is ${enforces.cpu}`;

export const cpuCapCases: Cases = {
  "ends a command that uses more CPU time than it may": {
    unless: withoutCpu,
    prove: async ({ run }) => {
      const outcome = await run(node(`console.log("up"); ${burn}`), { ...patient, limits: { maxCpuMs: 1_000 } });

      expect(outcome).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null, stdout: { text: "up\n" } });
    },
  },

  "ends one that uses it in a child": onPosix(async ({ run }) => {
    const source = `"$1" -e '${burn}'; exit $?`;
    const outcome = await run(sh(source, process.execPath), { ...patient, limits: { maxCpuMs: 1_000 } });

    expect(outcome).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null });
  }, withoutTree),

  "ends one whose many short children use it together": onPosix(async ({ run }) => {
    const source = `while [ -e "$PWD/." ]; do sh -c 'n=0; while [ $n -lt 2000 ]; do n=$((n+1)); done'; done`;
    const outcome = await run(sh(source), { ...patient, limits: { maxCpuMs: 400 } });

    expect(outcome).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null });
  }, withoutTree),

  "counts what all processes of a command use together, and leaves none of them": onPosix(async ({ run, folder }) => {
    using line = lifeline(folder);
    const child = `${report} ${burn}`;
    const parent = `const { spawn } = require("node:child_process");
        for (let n = 0; n < 3; n += 1) spawn(process.execPath, ["-e", process.argv[2], process.argv[1]], { detached: true });
        setInterval(() => {}, 1000);`;
    // No single one of them would come to so much before the others.
    const running = run(node(parent, line.path, child), { ...patient, limits: { maxCpuMs: 1_500 } });
    const [outcome] = await Promise.all([running, alive(line, 3)]);

    expect(outcome).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null });
    await allGone(line, 3);
  }, withoutTree),
};
