// What a harness that was killed in the middle of a command leaves in folders of its own, and running: the next one sees to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseStat } from "./proc-table.js";
import { isBuilt } from "./workdir/test-support.js";

let temp: string;
beforeAll(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), "harness-killed-")));
  mkdirSync(join(temp, "system"));
});
afterAll(() => rmSync(temp, { recursive: true }));

const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const isRoot = process.geteuid?.() === 0;

/** A harness with a command that has a temporary folder of its own, here and, where it can, as another user. */
async function harness() {
  const source = `
    import { floor } from ${JSON.stringify(built)};
    const user = { uid: 54321, gid: 54321 };
    const as = (user) => floor({ wrap: ({ command: { argv } }) => ({ argv: ["/bin/sh", "-c", 'exec "$@"', "sh", ...argv], user }) });
    const argv = ["sh", "-c", 'echo "$TMPDIR"; readlink /proc/$$/fd/1; read -r line; exec sleep 0'];
    const command = { argv, cwd: "/", limits: { maxTempBytes: 1e6 }, timeoutMs: 60_000 };
    const onOutput = (stream, text) => process.stdout.write(text);
    for (const sandbox of [floor(), ${isRoot} ? as(user) : floor()]) await sandbox.run({ ...command, onOutput });
    const sleeping = { ...command, argv: ["sh", "-c", 'echo "$TMPDIR $$"; exec sleep 30'], onOutput };
    for (const sandbox of [floor(), ${isRoot} ? as(user) : floor()]) void sandbox.run(sleeping);
    setTimeout(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    env: { PATH: process.env.PATH, TMPDIR: join(temp, "system") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  // Two of two commands each that have ended, then one of each that has not.
  await vi.waitFor(() => expect(lines).toHaveLength(6), 30_000);
  const sleeping = lines.slice(4).map((line) => line.split(" "));
  const folders = sleeping.map(([folder = ""]) => folder);
  return {
    child,
    folders,
    sleepers: sleeping.map(([, pid]) => Number(pid)),
    fifos: (lines[1] ?? "").replace(/\/[^/]*$/, ""),
  };
}

function isRunning(pid: number | undefined): boolean {
  try {
    // What nobody has collected yet runs no more.
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1")) !== undefined;
  } catch {
    return false;
  }
}

describe.skipIf(!isBuilt || process.platform !== "linux")(
  "a harness that is killed [needs Linux and dist/: run `npx tsup` in this package]",
  () => {
    it("leaves its folders and commands to the next one, which removes and ends them", {
      timeout: 120_000,
    }, async () => {
      const killed = await harness();
      killed.child.kill("SIGKILL");
      await once(killed.child, "close");
      const left = [...killed.folders, killed.fifos];
      expect(left.map((path) => existsSync(path))).toEqual([true, true, true]);
      const [running] = killed.sleepers;
      expect(isRunning(running)).toBe(true);
      const next = await harness();

      await vi.waitFor(() => expect(left.filter((path) => existsSync(path))).toEqual([]), 20_000);
      await vi.waitFor(() => expect(isRunning(running)).toBe(false), 20_000);
      expect(isRunning(next.sleepers[0]), "of a harness that lives").toBe(true);
      next.child.kill("SIGTERM");
      await once(next.child, "close");
      expect(readdirSync(temp)).toEqual(["system"]);
    });
  },
);
