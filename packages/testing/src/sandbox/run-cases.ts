// Promises about a command that runs to its end.
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, sh } from "./payloads.js";
import { always, type Cases, onPosix } from "./subject.js";

const awkward = ["a;b", "$(touch made)", "`touch made`", "* ?", "", "two\nlines", `"'\\`, "ä €🙂", "-e", "%PATH%"];

export const runCases: Cases = {
  "tells the exit code and both streams": always(async ({ run }) => {
    const outcome = await run(node(`console.log("out"); console.error("err"); process.exitCode = 3`));

    expect(outcome).toMatchObject({ exitCode: 3, signal: null, capHit: null, stopped: null });
    expect(outcome.stdout).toEqual({ text: "out\n", elidedBytes: 0 });
    expect(outcome.stderr).toEqual({ text: "err\n", elidedBytes: 0 });
    expect(outcome.wallMs).toBeGreaterThanOrEqual(0);
  }),

  "names the backend that it declares, and the argv as given": always(async ({ run, sandbox }) => {
    const argv = node("");
    const outcome = await run(argv);

    expect(outcome.backend).toBe(sandbox.backend);
    expect(outcome.argv).toEqual(argv);
  }),

  "hands over every argument as it is, whatever a shell would make of it": always(async ({ run, folder }) => {
    const source = `process.stdout.write(JSON.stringify(process.argv.slice(1)))`;
    const outcome = await run(node(source, "--", ...awkward));

    expect(JSON.parse(outcome.stdout.text)).toEqual(awkward);
    expect(existsSync(join(folder, "made"))).toBe(false);
  }),

  "finds a program by a path from the working folder": onPosix(async ({ run, folder, sandbox }) => {
    await mkdir(join(folder, "sub"));
    const made = await run(sh(`printf '#!/bin/sh\\necho "$0 $1"\\n' > sub/tool && chmod +x sub/tool`));
    expect(made.exitCode).toBe(0);

    const outcome = await sandbox.run({ argv: ["./tool", "x"], cwd: join(folder, "sub") });
    expect(outcome.stdout.text).toMatch(/tool x\n$/);
  }),

  "runs in the folder that it is given": always(async ({ run, folder }) => {
    const outcome = await run(node("process.stdout.write(process.cwd())"));

    expect(outcome.stdout.text).toBe(folder);
  }),

  "closes standard input at once when there is nothing to read": always(async ({ run }) => {
    const outcome = await run(node(`process.stdout.write(String(require("fs").readFileSync(0).length))`));

    expect(outcome.stdout.text).toBe("0");
  }),

  "gives the command text and bytes to read": always(async ({ run }) => {
    const digest = `const bytes = require("fs").readFileSync(0);
      process.stdout.write(require("crypto").createHash("sha256").update(bytes).digest("hex"))`;
    const bytes = new Uint8Array(randomBytes(1_000_000));

    for (const stdin of ["grüße €", bytes]) {
      const outcome = await run(node(digest), { stdin });
      expect(outcome.stdout.text).toBe(createHash("sha256").update(stdin).digest("hex"));
    }
  }),

  "does not mind a command that ends without reading": always(async ({ run }) => {
    const outcome = await run(node("process.exit(0)"), { stdin: "x".repeat(4_000_000) });

    expect(outcome).toMatchObject({ exitCode: 0, capHit: null, stopped: null });
  }),

  "tells a command killed by a signal from one that exits with a high number": onPosix(async ({ run, sandbox }) => {
    const killed = await run(sh("kill -KILL $$"));
    const exited = await run(sh("exit 137"));

    // What stands in front of a namespace may know of an end in it only as a number.
    const isRetold = sandbox.enforces.treeKill === "kernel" && killed.signal === null;
    const told = isRetold ? { exitCode: 137, signal: null } : { exitCode: null, signal: "SIGKILL" };
    expect(killed).toMatchObject({ ...told, capHit: null, stopped: null });
    expect(exited).toMatchObject({ exitCode: 137, signal: null, capHit: null, stopped: null });
  }),

  "keeps commands that run side by side apart": always(async ({ run }) => {
    const all = Array.from({ length: 8 }, (_, index) =>
      run(node(`console.log(process.argv[1].repeat(2000)); process.exitCode = ${index}`, String(index))),
    );

    for (const [index, outcome] of (await Promise.all(all)).entries()) {
      expect(outcome).toMatchObject({ exitCode: index, stdout: { text: `${String(index).repeat(2000)}\n` } });
    }
  }),
};
