// The same rung for an ordinary user: another process, under a number that no account has, is the harness. Nothing of it lies in
// root's folders, which such a user may not enter.
import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemProgram } from "../system-programs.js";
import { hasBubblewrap, isRoot, needsBubblewrap, stranger } from "../test-bubblewrap.js";
import { bundled } from "../test-bundle.js";
import { type TestFolder, testFolder } from "../test-folder.js";

const setpriv = systemProgram("setpriv");
const reason = !isRoot ? " [needs root, to become another user]" : setpriv ? needsBubblewrap : " [needs setpriv]";

const attacking = `
  import { linuxSandbox } from "@harness/sandbox-linux";
  import { falseDeclarations, runAttacks } from "@harness/testing/attacks";
  const results = [];
  const source = linuxSandbox({ only: "linux-bubblewrap", required: true });
  for await (const result of runAttacks(source, { folder: process.env.HOME })) results.push(result);
  const open = results.filter(({ id, result, expected }) => id !== "work" && result !== "stopped" && result !== "not-tried");
  const work = results.find(({ id }) => id === "work");
  console.log(JSON.stringify({
    uid: process.getuid(), tried: results.length, open, work: work.result, untrue: falseDeclarations(results),
  }));`;

/** Commands of one sandbox that is a stranger's: the bound on processes, which root does not have, and a shared network. */
const working = `
  import { linuxSandbox } from "@harness/sandbox-linux";
  const workspace = process.env.HOME;
  const sandbox = await linuxSandbox({ only: "linux-bubblewrap" })({ workspace, mode: "workspace-write", egress: "deny" });
  const bomb = 'let n = 0; const { spawn } = require("child_process");' +
    'for (let i = 0; i < 400; i += 1) spawn("sleep", ["9"], { stdio: "ignore" }).on("error", () => console.log("refused"));';
  const { argv } = { argv: [process.execPath, "-e", bomb] };
  const bombed = await sandbox.run({ argv, cwd: workspace, limits: { maxProcesses: 20 }, timeoutMs: 20000 });
  const id = await sandbox.run({ argv: ["sh", "-c", "id -u; echo made > made; cat made"], cwd: workspace });
  await sandbox.close();
  console.log(JSON.stringify({ missing: sandbox.boundary.missing, bombed: bombed.capHit, printed: id.stdout.text }));`;

/** What `source` prints as JSON when it is run as the stranger, whose home lies in \`folder\`. */
async function asStranger({ path }: TestFolder, source: string): Promise<unknown> {
  const home = join(path, "home");
  mkdirSync(home);
  chownSync(home, stranger, stranger);
  chmodSync(path, 0o755);
  writeFileSync(join(path, "program.mjs"), await bundled(source));
  const become = [`--reuid=${stranger}`, `--regid=${stranger}`, "--clear-groups", "--"];
  const { stdout } = await promisify(execFile)(
    setpriv ?? "",
    [...become, process.execPath, join(path, "program.mjs")],
    { cwd: home, env: { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin" }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout);
}

describe.skipIf(!hasBubblewrap || reason !== "")(`bubblewrap for an ordinary user${reason}`, () => {
  it("stops every attack and lets honest work be done", { timeout: 180_000 }, async () => {
    using folder = testFolder("/srv");

    expect(await asStranger(folder, attacking)).toEqual({
      ...{ uid: stranger, tried: expect.any(Number) },
      ...{ open: [], work: "succeeded", untrue: [] },
    });
  });

  it("has no gap, and ends who has too many processes", { timeout: 60_000 }, async () => {
    using folder = testFolder("/srv");

    expect(await asStranger(folder, working)).toEqual({
      ...{ missing: [], bombed: "processes", printed: `${stranger}\nmade\n` },
    });
  });
});
