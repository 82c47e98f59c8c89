// Promises about the caps on files: how many a process may have open, and how long one may become.
import { expect } from "vitest";
import { mebibyte, patient } from "./cap-payloads.js";
import { node, sh } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const withoutOpenFiles: Case["unless"] = ({ enforces }) =>
  enforces.openFiles ? undefined : "enforces.openFiles is false";
const withoutFileSize: Case["unless"] = ({ enforces }) =>
  enforces.fileSize ? undefined : "enforces.fileSize is false";

const limits = { maxFileBytes: mebibyte };

export const fileCapCases: Cases = {
  "holds a command to the number of files it may have open": {
    unless: withoutOpenFiles,
    prove: async ({ run }) => {
      const open = `let count = 0; try { for (; count < 1000; count += 1) require("fs").openSync(process.execPath); } catch {}
        require("fs").writeSync(1, String(count)); process.reallyExit(0);`;
      const outcome = await run(node(open), { ...patient, limits: { maxOpenFiles: 128 } });

      expect(Number(outcome.stdout.text)).toBeGreaterThan(0);
      expect(Number(outcome.stdout.text)).toBeLessThanOrEqual(128);
    },
  },

  "holds a command to the size that a file may have, and names the cap": {
    unless: withoutFileSize,
    prove: async ({ run, written }) => {
      const grow = `const { writeFileSync } = require("fs");
        writeFileSync("small", "x"); writeFileSync("made", "x".repeat(4 * ${mebibyte}));`;
      const outcome = await run(node(grow), { ...patient, limits });

      expect(outcome).toMatchObject({ capHit: "file-size", stopped: null, exitCode: null });
      expect(await written("small")).toBe("x");
      expect((await written("made"))?.length).toBeLessThanOrEqual(mebibyte);
    },
  },

  "names it also when the kernel ends the writer": onPosix(async ({ run, written }) => {
    const direct = await run(sh(`exec head -c ${4 * mebibyte} /dev/zero > made`), { ...patient, limits });
    const behindShell = await run(sh(`head -c ${4 * mebibyte} /dev/zero > other; exit $?`), { ...patient, limits });

    for (const outcome of [direct, behindShell]) {
      expect(outcome).toMatchObject({ capHit: "file-size", stopped: null, exitCode: null });
    }
    expect((await written("made"))?.length).toBeLessThanOrEqual(mebibyte);
  }, withoutFileSize),

  "lets a file become as long as it may": {
    unless: withoutFileSize,
    prove: async ({ run, written }) => {
      const outcome = await run(node(`require("fs").writeFileSync("made", "x".repeat(${mebibyte}))`), {
        ...patient,
        limits,
      });

      expect(outcome).toMatchObject({ capHit: null, exitCode: 0 });
      expect(await written("made")).toHaveLength(mebibyte);
    },
  },
};
