// A harness that is killed leaves nothing: no process of its commands, not what holds their network, and no mount.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { bundled } from "../test-bundle.js";
import { testFolder } from "../test-folder.js";

const harness = `
  import { linuxSandbox } from "@harness/sandbox-linux";
  const workspace = process.argv[2];
  const sandbox = await linuxSandbox({ only: "linux-bubblewrap" })({ workspace, mode: "workspace-write", egress: "deny" });
  const daemon = 'require("child_process").spawn("sleep", ["86399"], { detached: true, stdio: "ignore" }); console.log("up"); setInterval(() => {}, 1e6)';
  const served = await sandbox.spawn({ argv: [process.execPath, "-e", daemon], cwd: workspace });
  while (!served.take().stdout.text.includes("up")) await new Promise((resolve) => setTimeout(resolve, 10));
  if (process.argv[3] === "stay") setInterval(() => {}, 1e6);
  console.log("running");
  if (process.argv[3] === "end") await served.kill();`;

/** What runs below the process, each by its number and when it started: numbers are used again. */
function below(root: number): readonly string[] {
  const rows = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(rowOf);
  const family = new Set([root]);
  for (const parent of family) for (const row of rows) if (row.parent === parent) family.add(row.pid);
  return rows.filter(({ pid }) => family.has(pid) && pid !== root).map(({ name }) => name);
}

function rowOf(pid: string) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return [{ pid: Number(pid), parent: Number(fields[1]), name: `${pid} since ${fields[19]}` }];
  } catch {
    return [];
  }
}

const stillThere = (names: readonly string[]) =>
  names.filter((name) => rowOf(name.split(" ")[0] ?? "").some((row) => row.name === name));

async function started(folder: string, how: "stay" | "end") {
  const program = join(folder, "program.mjs");
  writeFileSync(program, await bundled(harness));
  const child = spawn(process.execPath, [program, folder, how], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

describe.skipIf(!hasBubblewrap)(`a harness with commands behind bubblewrap${needsBubblewrap}`, () => {
  it("leaves no process and no mount when it is killed", { timeout: 60_000 }, async () => {
    using folder = testFolder();
    const child = await started(folder.path, "stay");
    const family = below(child.pid as number);
    // Two of bubblewrap for the network, two for the command, the command and its daemon.
    expect(family.length).toBeGreaterThanOrEqual(6);
    child.kill("SIGKILL");
    await once(child, "exit");

    await vi.waitFor(() => expect(stillThere(family)).toEqual([]), 10_000);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder.path);
  });

  it("ends by itself when its work is done, although a sandbox was not closed", { timeout: 60_000 }, async () => {
    using folder = testFolder();
    const child = await started(folder.path, "end");
    const family = below(child.pid as number);
    const code = child.exitCode ?? (await once(child, "exit"))[0];

    expect(code).toBe(0);
    await vi.waitFor(() => expect(stillThere(family)).toEqual([]), 10_000);
  });
});
