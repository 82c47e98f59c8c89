// Promises about what a command prints: nothing is garbled, nothing blocks, and what is left out is counted.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { node, sh, untilRemoved } from "./payloads.js";
import { always, type Case, type Cases, onPosix } from "./subject.js";

/** More of one stream than any sandbox should keep. */
const floodBytes = 16 * 1024 * 1024;

const flood = `
  const fs = require("fs");
  const line = "x".repeat(1023) + "\\n";
  fs.writeSync(1, "FIRST\\n");
  for (let n = 0; n < ${floodBytes / 1024}; n += 1) {
    for (let at = 0; at < line.length; ) at += fs.writeSync(1, line.slice(at));
  }
  fs.writeSync(1, "LAST\\n");
`;

const withoutOutputCap: Case["unless"] = ({ enforces }) => (enforces.output ? undefined : "enforces.output is false");

export const outputCases: Cases = {
  "keeps characters whole that arrive in parts": always(async ({ run }) => {
    const seen: string[] = [];
    const text = "€🙂".repeat(40_000);
    const source = `process.stdout.write("€🙂".repeat(40000))`;
    const outcome = await run(node(source), { onOutput: (_, part) => seen.push(part) });

    expect(outcome.stdout.text === text).toBe(true);
    expect(seen.join("") === text).toBe(true);
  }),

  "replaces bytes that are not UTF-8 and keeps control characters": always(async ({ run }) => {
    const source = `process.stdout.write(Buffer.from([0x61, 0xff, 0x62, 0x00, 0x1b, 0x5b, 0x31, 0x6d, 0xe2, 0x82]))`;
    const outcome = await run(node(source));

    expect(outcome.stdout.text).toBe("a\ufffdb\0\u001b[1m\ufffd");
  }),

  "keeps the start and the end of a flood, and counts the rest": always(async ({ run }) => {
    const { exitCode, stdout } = await run(node(flood));

    const printed = floodBytes + "FIRST\nLAST\n".length;
    expect(exitCode).toBe(0);
    expect(stdout.text.startsWith("FIRST\n")).toBe(true);
    expect(stdout.text.endsWith("\nLAST\n")).toBe(true);
    const notes = stdout.text.split("\n").filter((line) => line.includes(String(stdout.elidedBytes)));
    expect(notes).toHaveLength(1);
    // Around the line that says how much is missing there may be line breaks of the sandbox's own.
    const kept = Buffer.byteLength(stdout.text) - Buffer.byteLength(notes[0] ?? "");
    expect(kept - (printed - stdout.elidedBytes)).toBeGreaterThanOrEqual(0);
    expect(kept - (printed - stdout.elidedBytes)).toBeLessThanOrEqual(2);
  }),

  "shows output while the command runs": always(async ({ run, folder }) => {
    const waits = `console.log("ready"); console.error("here");
      setInterval(() => require("fs").existsSync("go") && process.exit(0), 10); ${untilRemoved}`;
    const seen: string[] = [];
    const outcome = await run(node(waits), {
      onOutput: (stream, text) => {
        seen.push(`${stream}: ${text}`);
        if (seen.length === 2) writeFileSync(join(folder, "go"), "");
      },
    });

    expect(outcome).toMatchObject({ exitCode: 0, stopped: null });
    expect(seen.sort()).toEqual(["stderr: here\n", "stdout: ready\n"]);
  }),

  "lets a command open its own output anew": onPosix(async ({ run }) => {
    const source = "echo out > /dev/stdout; echo both | tee /dev/stderr; (echo err > /dev/stderr)";
    const outcome = await run(sh(source));

    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: "out\nboth\n" }, stderr: { text: "both\nerr\n" } });
  }),

  "ends a command whose output is over its cap, and keeps what it printed": {
    unless: withoutOutputCap,
    prove: async ({ run }) => {
      const endless = `console.log("FIRST"); const line = "x".repeat(999) + "\\n";
        (function more() { process.stdout.write(line, more); })(); ${untilRemoved}`;
      const outcome = await run(node(endless), { limits: { maxOutputBytes: 50_000 } });

      expect(outcome).toMatchObject({ capHit: "output", exitCode: null, stopped: null });
      expect(outcome.stdout.text.startsWith("FIRST\n")).toBe(true);
    },
  },

  "calls it a cap also when the command ended before its output was read": {
    unless: withoutOutputCap,
    prove: async ({ run }) => {
      const outcome = await run(node(`process.stdout.write("x".repeat(20000))`), {
        limits: { maxOutputBytes: 19_999 },
      });

      expect(outcome).toMatchObject({ capHit: "output", exitCode: null, stopped: null });
    },
  },

  "does not end a command that stays within its output cap": always(async ({ run }) => {
    const source = `process.stdout.write("x".repeat(1000)); process.stderr.write("x".repeat(1000))`;
    const outcome = await run(node(source), { limits: { maxOutputBytes: 1000 } });

    expect(outcome).toMatchObject({ capHit: null, exitCode: 0, stdout: { text: "x".repeat(1000), elidedBytes: 0 } });
  }),
};
