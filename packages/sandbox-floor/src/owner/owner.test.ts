import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ProcessRow, ProcessTable } from "../process-rows.js";
import { isGone, namePrefix, type Owner, ownerOf, thisOwner } from "./owner.js";

const self = thisOwner();
const nameOf = (owner: Owner) => `${namePrefix(owner)}Ab3dEf`;

function tableWith(startedAt: string | undefined): ProcessTable {
  const row: ProcessRow = { pid: 0, parent: 0, group: 0, session: 0, startedAt: startedAt ?? "" };
  const none = { rows: () => undefined, isMarked: () => undefined, startedSince: () => undefined };
  return { ...none, row: () => (startedAt === undefined ? undefined : row) };
}

describe("the owner of a working folder", () => {
  it("is told by its name", () => {
    expect(ownerOf(nameOf(self))).toEqual(self);
    expect(nameOf(self).length).toBeLessThan(45);
    for (const name of ["", "w-", "workspace", `${nameOf(self)}x`, nameOf(self).replace("w-", "x-")]) {
      expect(ownerOf(name)).toBeUndefined();
    }
  });

  it("lives while its process does", () => {
    expect(isGone(self, self)).toBe(false);
  });

  it("is gone when its process is, or the machine was started anew", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "close");

    expect(isGone({ ...self, pid: child.pid ?? 0 }, self)).toBe(true);
    expect(isGone({ ...self, boot: "other" }, self)).toBe(true);
  });

  it("is gone when another process has its number by now", () => {
    const then: Owner = { ...self, started: thisOwner(tableWith("then")).started };

    expect(isGone(then, self, tableWith("then"))).toBe(false);
    expect(isGone(then, self, tableWith("later"))).toBe(true);
  });

  it.skipIf(process.platform !== "linux")(
    "is gone when it only waits to be collected [known on Linux only]",
    async () => {
      const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
      onTestFinished(() => void parent.kill("SIGKILL"));
      const [printed] = await once(parent.stdout, "data");
      const owner = { ...self, pid: Number(String(printed)), started: "other" };

      await expect.poll(() => isGone(owner, self), { timeout: 20_000 }).toBe(true);
      expect(() => process.kill(owner.pid, 0)).not.toThrow();
    },
  );

  it("is taken for alive where that cannot be known", () => {
    const gone = { ...self, pid: 2 ** 22 + 1 };
    expect(isGone(gone, self)).toBe(true);

    expect(isGone({ ...gone, host: "other" }, self)).toBe(false);
    expect(isGone({ ...gone, space: "other" }, self)).toBe(false);
    expect(isGone({ ...self, boot: "00000" }, self)).toBe(false);
    // No table shows when a process started.
    const blind = thisOwner(tableWith(undefined));
    expect(isGone({ ...blind, started: "other" }, blind, tableWith(undefined))).toBe(false);
    expect(isGone({ ...self, started: "00000" }, self)).toBe(false);
  });

  it.skipIf(process.geteuid?.() === 0)("is taken for alive when it may not be signalled [root may]", () => {
    expect(isGone({ ...self, pid: 1 }, self)).toBe(false);
  });
});
