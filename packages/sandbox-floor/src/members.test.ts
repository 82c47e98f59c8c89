import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Belonging, membersOf } from "./members.js";
import type { ProcessRow } from "./process-rows.js";

const row = (pid: number, parent: number, rest: Partial<ProcessRow> = {}): ProcessRow => ({
  ...{ pid, parent, group: pid, session: pid, startedAt: String(pid) },
  ...rest,
});

const pids = (rows: readonly ProcessRow[], rest: Partial<Belonging> = {}) =>
  membersOf(rows, {
    root: { pid: 100, hasExited: false },
    known: new Map(),
    isMarked: () => false,
    self: 50,
    ...rest,
  }).map(({ pid }) => pid);

describe("membersOf", () => {
  it("finds the root, its descendants, its group and its session, furthest first", () => {
    const rows = [
      row(1, 0),
      row(50, 1),
      row(100, 50),
      row(101, 100, { group: 100, session: 100 }),
      row(102, 101),
      row(103, 102),
      row(104, 1, { group: 100, session: 100 }),
      row(105, 1, { group: 105, session: 100 }),
      row(200, 50),
    ];

    expect(pids(rows)).toEqual([103, 102, 101, 100, 104, 105]);
  });

  it("finds who carries the mark, and whom they started", () => {
    const rows = [row(100, 50), row(300, 1), row(301, 300), row(302, 1)];

    expect(pids(rows, { isMarked: ({ pid }) => pid === 300 })).toEqual([301, 100, 300]);
  });

  it("finds who was seen before, unless its number is another's now", () => {
    const rows = [row(300, 1, { startedAt: "then" }), row(301, 1, { startedAt: "later" })];

    expect(pids(rows, { known: new Map([[300, "then"], [301, "then"]]) })).toEqual([300]); // biome-ignore format: pairs
  });

  it("leaves a stranger alone that got the root's number", () => {
    const rows = [row(100, 1), row(101, 100, { group: 100, session: 100 })];

    expect(pids(rows, { root: { pid: 100, hasExited: true } })).toEqual([]);
  });

  it("finds the group of a root that is gone", () => {
    const rows = [row(101, 1, { group: 100, session: 100 })];

    expect(pids(rows, { root: { pid: 100, hasExited: true } })).toEqual([101]);
  });

  it("never finds the harness itself, nor init, and ends on a table that makes no sense", () => {
    const table = fc.array(
      fc.record({
        ...{ pid: fc.integer({ min: 1, max: 12 }), parent: fc.integer({ min: 0, max: 12 }) },
        ...{ group: fc.integer({ min: 1, max: 12 }), session: fc.integer({ min: 1, max: 12 }) },
        startedAt: fc.constantFrom("then", "later"),
      }),
      { maxLength: 20 },
    );

    fc.assert(
      fc.property(table, (rows) => {
        const found = pids(rows, { root: { pid: 5, hasExited: false }, self: 7 });

        expect(found).not.toContain(7);
        expect(found).not.toContain(1);
        for (const { pid, parent } of rows) {
          if (found.includes(parent) && pid !== 7 && pid !== 1) expect(found).toContain(pid);
        }
      }),
    );
  });
});
