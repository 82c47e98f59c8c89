// The tree over a table that fails, that shows less, and over processes that do not want to end. That nothing is left of
// what a command started is in the port's suite; here is what it takes to hold that where the suite cannot look.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { procTable } from "./proc-table.js";
import type { ProcessTable } from "./process-rows.js";
import { psTable } from "./process-table.js";
import { processTree } from "./process-tree.js";

const quick = { graceMs: 200, mark: "a-mark" };

/** A shell with a child, both in the shell's own group; says the child's number. */
async function family(
  source: string,
): Promise<{ child: ChildProcess; root: { pid: number; hasExited: boolean }; other: number }> {
  const child = spawn("sh", ["-c", source], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const root = { pid: child.pid ?? 0, hasExited: false };
  child.once("exit", () => {
    root.hasExited = true;
  });
  const [line] = await once(child.stdout as NodeJS.EventEmitter, "data");
  return { child, root, other: Number(String(line)) };
}

const isAlive = (table: ProcessTable, pid: number) => table.row(pid) !== undefined;

describe.skipIf(process.platform !== "linux")("processTree [its own processes are looked up in /proc]", () => {
  const proc = procTable();

  it("ends the group when the table cannot be read", async () => {
    const { root, other } = await family("sleep 60 & echo $!; wait");
    const blind: ProcessTable = { ...proc, rows: () => undefined };
    await processTree({ ...quick, root, table: blind }).end();

    expect([isAlive(proc, root.pid), isAlive(proc, other)]).toEqual([false, false]);
  });

  it("ends who left the group by its parent, on a table without environments", async () => {
    const { root, other } = await family("setsid sleep 60 & echo $!; wait");
    await processTree({ ...quick, root, table: psTable("ps") }).end();

    expect([isAlive(proc, root.pid), isAlive(proc, other)]).toEqual([false, false]);
  });

  it("ends who was seen before its parent was gone, though it cleared its environment", async () => {
    const stray = "trap : TERM; echo $$; sleep 60; sleep 1";
    const source = `env -i setsid sh -c '${stray}' & wait`;
    const { root, other } = await family(source);
    await processTree({ ...quick, root, table: proc }).end();

    expect([isAlive(proc, root.pid), isAlive(proc, other)]).toEqual([false, false]);
  });

  it("ends who was learned of, though nothing shows it any more", async () => {
    const stray = "echo \\$\\$; sleep 60; sleep 1";
    const { root, other } = await family(`env -i setsid sh -c '(setsid sh -c "${stray}" &)'; sleep 60`);
    const tree = processTree({ ...quick, root, table: proc });
    const row = proc.row(other);
    tree.learn(row ? [row] : []);
    expect(isAlive(proc, other)).toBe(true);
    await tree.end("at-once");

    expect(isAlive(proc, other)).toBe(false);
  });

  it("gives no grace when it is to end at once", async () => {
    const { root, child } = await family(`trap "echo late" TERM; echo 0; while :; do sleep 0.1; done`);
    let said = "";
    child.stdout?.on("data", (text) => {
      said += text;
    });
    await processTree({ ...quick, root, table: proc }).end("at-once");

    expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGKILL");
    expect(said).toBe("");
  });

  it("ends a process that is stopped", async () => {
    const { root, child } = await family("echo 0; kill -STOP $$");
    await processTree({ ...quick, root, table: proc }).end();

    expect(isAlive(proc, root.pid)).toBe(false);
    expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGKILL");
  });

  it("ends everything at once when there is no time left", async () => {
    const { root, child } = await family(`trap "" TERM; setsid sleep 60 & echo $!; wait`);
    processTree({ ...quick, root, table: proc }).endNow();

    expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  });

  it("has nothing to do when everything is gone", async () => {
    const { root, child } = await family("echo 0");
    await once(child, "close");
    const tree = processTree({ ...quick, root, table: proc });

    expect(tree.hasSurvivors()).toBe(false);
    await tree.end();
  });
});
