import { describe, expect, it } from "vitest";
import type { ProcessTable } from "../process-rows.js";
import { processTable } from "../process-table.js";
import { endLeftProcesses, marksOf } from "./left-processes.js";
import { thisOwner } from "./owner.js";

const self = thisOwner();
/** Beyond what the kernel gives out. */
const nobody = 99_999_999;
const gone = marksOf({ ...self, pid: nobody });
const alive = marksOf(self);
const elsewhere = marksOf({ ...self, pid: nobody, host: "other" });

/** Processes by number, each with its marks; what is ended is not there at the next look. */
function world(marks: Readonly<Record<number, readonly string[]>>) {
  const left = new Map(Object.entries(marks).map(([pid, all]) => [Number(pid), all]));
  const ended: number[] = [];
  const row = (pid: number) => ({ pid, parent: 1, group: pid, session: pid, startedAt: "1" });
  const table: ProcessTable = {
    rows: () => [...left.keys()].map(row),
    row: (pid) => (pid === self.pid ? processTable()?.row(pid) : left.has(pid) ? row(pid) : undefined),
    marks: (pid) => left.get(pid),
    isMarked: () => false,
    startedSince: () => [],
  };
  const end = (pid: number) => {
    ended.push(pid);
    left.delete(pid);
  };
  return { table, ended, left, end };
}

describe("marks", () => {
  it("are never alike, and say whose they are", () => {
    const next = marksOf(self);
    const marks = Array.from({ length: 1_000 }, next);

    expect(new Set(marks).size).toBe(1_000);
    expect(new Set(marks.map((mark) => mark.slice(0, -6))).size).toBe(1);
  });
});

describe.skipIf(processTable() === undefined)(
  "what a harness that is gone has left running [needs a process table]",
  () => {
    it("is ended, and nothing of anybody else's", () => {
      const { table, ended, end } = world({
        10: [gone()],
        11: [alive()],
        12: [elsewhere()],
        13: [],
        14: [alive(), gone()],
        15: ["a mark in another form"],
      });

      expect(endLeftProcesses(table, self, end)).toBe(2);
      expect(ended).toEqual([10, 14]);
    });

    it("does not count this process and its like, when it was itself left behind", () => {
      const outer = gone();
      const { table, ended, end } = world({
        [self.pid]: [outer],
        20: [outer, alive()],
        21: [outer, gone()],
        22: [gone()],
      });

      endLeftProcesses(table, self, end);
      expect(ended).toEqual([21, 22]);
    });

    it("is looked for again, for what it made meanwhile", () => {
      const { table, ended, left, end } = world({ 30: [gone()] });
      const multiplying = (pid: number) => {
        end(pid);
        if (pid === 30) left.set(31, [gone()]);
      };

      expect(endLeftProcesses(table, self, multiplying)).toBe(2);
      expect(ended).toEqual([30, 31]);
    });

    it("is left alone where the table cannot be read", () => {
      const { table, ended, end } = world({ 40: [gone()] });

      expect(endLeftProcesses({ ...table, rows: () => undefined }, self, end)).toBe(0);
      expect(ended).toEqual([]);
    });
  },
);
