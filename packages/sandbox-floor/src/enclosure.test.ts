import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { enclosureOf } from "./enclosure.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";

const root = { pid: 100, hasExited: false };

/** A table with these parents, by pid. */
function tableOf(
  parents: Readonly<Record<number, number>>,
  startedAt: Readonly<Record<number, string>> = {},
): ProcessTable {
  const row = (pid: number): ProcessRow | undefined => {
    const parent = parents[pid];
    if (parent === undefined) return undefined;
    return { pid, parent, group: pid, session: pid, startedAt: startedAt[pid] ?? String(pid) };
  };
  const rows = () => Object.keys(parents).flatMap((pid) => row(Number(pid)) ?? []);
  return { row, rows, isMarked: () => undefined, startedSince: () => undefined };
}

const family = { 1: 0, 50: 1, 100: 50, 101: 100, 102: 101, 103: 102, 104: 102, 105: 104, 60: 50 };

describe("enclosureOf", () => {
  it("finds who stands in front and who is inside", () => {
    const found = enclosureOf(root, 102, tableOf(family));

    expect([...(found?.front ?? [])]).toEqual([101, 100]);
    expect([...(found?.inside() ?? [])].sort()).toEqual([102, 103, 104, 105]);
    expect(found?.isAlive()).toBe(true);
  });

  it.each([
    ["a stranger", 60],
    ["the root itself", 100],
    ["its parent", 50],
    ["the machine's first process", 1],
    ["nobody", 999],
    ["no process's number", -1],
    ["no number", Number.NaN],
  ])("does not believe in %s", (_, init) => {
    expect(enclosureOf(root, init, tableOf(family))).toBeUndefined();
  });

  it("does not follow parents in a circle", () => {
    expect(enclosureOf(root, 103, tableOf({ ...family, 102: 103 }))).toBeUndefined();
  });

  it("believes nobody once the root is gone", () => {
    expect(enclosureOf({ ...root, hasExited: true }, 102, tableOf(family))).toBeUndefined();
  });

  it("does not take another process for the first one because it has its number", () => {
    const startedAt: Record<number, string> = {};
    const table = tableOf(family, startedAt);
    const found = enclosureOf(root, 102, table);
    startedAt[102] = "later";

    expect(found?.isAlive()).toBe(false);
    expect(found?.inside()).toBeUndefined();
  });

  it("names descendants of the root only, whatever is claimed of whatever table", () => {
    const parents = fc.dictionary(fc.integer({ min: 2, max: 30 }).map(String), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(parents, fc.integer({ min: 0, max: 31 }), (made, init) => {
        const table = tableOf({ ...made, 5: 1 });
        const found = enclosureOf({ pid: 5, hasExited: false }, init, table);
        for (const pid of found?.inside() ?? []) expect(ancestors(table, pid)).toContain(5);
      }),
    );
  });
});

function ancestors(table: ProcessTable, pid: number): readonly number[] {
  const seen: number[] = [];
  for (let at = table.row(pid); at && !seen.includes(at.parent); at = table.row(at.parent)) seen.push(at.parent);
  return seen;
}
