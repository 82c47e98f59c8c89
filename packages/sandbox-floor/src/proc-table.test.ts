import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { candidates, carriesMark, parseStat, procTable } from "./proc-table.js";
import { processTable, psTable } from "./process-table.js";

const tail = "0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";

describe("parseStat", () => {
  it("reads past a name that holds brackets and spaces", () => {
    expect(parseStat(`42 (a) S (b) S 7 41 40 ${tail}`)).toEqual({
      ...{ pid: 42, parent: 7, group: 41, session: 40, startedAt: "4711" },
    });
  });

  it("leaves out what has ended and waits to be collected", () => {
    expect(parseStat(`42 (gone) Z 7 41 40 ${tail}`)).toBeUndefined();
    expect(parseStat(undefined)).toBeUndefined();
    expect(parseStat("")).toBeUndefined();
  });
});

describe("carriesMark", () => {
  it("finds a mark among the marks of outer commands", () => {
    expect(carriesMark("A=1\0HARNESS_COMMAND=outer:mine\0B=2\0", "mine")).toBe(true);
    expect(carriesMark("HARNESS_COMMAND=mine\0", "mine")).toBe(true);
  });

  it("is not taken in by the same text elsewhere", () => {
    expect(carriesMark("NOTE=HARNESS_COMMAND=mine\0HARNESS_COMMAND=other\0", "mine")).toBe(false);
    expect(carriesMark("HARNESS_COMMAND=mine-too\0", "mine")).toBe(false);
  });

  it("does not take an environment that cannot be seen for one without a mark", () => {
    expect(carriesMark(undefined, "mine")).toBeUndefined();
    expect(carriesMark("", "mine")).toBeUndefined();
  });
});

describe("candidates", () => {
  const all = () => [3, 10, 11, 12, 500, 900];
  const span = { first: 10, last: 12, limit: 32_768, ranForMs: 5 };

  it("are the numbers between the command's own and the last", () => {
    expect(candidates(span, all)).toEqual([11, 12]);
    expect(candidates({ ...span, last: 600 }, all)).toEqual([11, 12, 500]);
  });

  it("are all processes when numbers may have started again, or nothing is known", () => {
    for (const change of [{ last: 9 }, { last: Number.NaN }, { limit: Number.NaN }, { ranForMs: 60_000 }]) {
      expect(candidates({ ...span, ...change }, all)).toEqual(all());
    }
  });

  it("never miss a process that was started in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2_000 }), fc.nat({ max: 300 }), fc.nat(), (first, count, pick) => {
        const last = first + count + 1;
        const started = first + 1 + (pick % (count + 1));

        expect(candidates({ ...span, first, last }, () => [started])).toContain(started);
      }),
    );
  });
});

describe.skipIf(process.platform === "win32")("the tables of this machine [none on Windows]", () => {
  const tables = { "of this platform": processTable(), ps: psTable(process.platform === "linux" ? "ps" : "/bin/ps") };

  it.each(Object.entries(tables))("%s: knows this process and its parent", (_, table) => {
    const own = table?.row(process.pid);

    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(table?.rows()).toContainEqual(own);
  });

  it.each(Object.entries(tables))("%s: does not know a process that is gone", async (_, table) => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "close");

    expect(table?.row(child.pid ?? 0)).toBeUndefined();
  });

  it("says that it cannot be read rather than that there is nobody", () => {
    expect(psTable("/no/such/ps").rows()).toBeUndefined();
    expect(procTable("/no/such/proc").rows()).toBeUndefined();
    expect(psTable().startedSince(1, 1)).toBeUndefined();
    expect(procTable("/no/such/proc").startedSince(1, 1)).toBeUndefined();
  });
});

describe.skipIf(process.platform !== "linux")("procTable [needs Linux]", () => {
  it("leaves out a child that ended and was never collected", async () => {
    // `exec` keeps the shell's children and forgets to wait for them.
    const child = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"]);
    const [line] = await once(child.stdout, "data");
    const pid = Number(String(line));
    const table = procTable();
    await vi.waitFor(() => expect(table.row(pid)).toBeUndefined(), 20_000);

    expect(() => process.kill(pid, 0)).not.toThrow();
    child.kill();
  });

  it("counts a process as started after every one that came before", () => {
    expect(procTable().startedSince(process.pid - 1, 1)).toContain(process.pid);
  });
});
