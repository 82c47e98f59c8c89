import { describe, expect, it } from "vitest";
import { census, type Watched } from "./census.js";
import { type TestProcess, testSource } from "./test-source.js";

const root = (pid: number, mark = `mark-${pid}`): Watched => ({ root: { pid, hasExited: false }, mark });
const first = root(100);
const second = root(200);

function looked(processes: readonly TestProcess[], commands: readonly Watched[] = [first, second]) {
  const source = testSource(processes);
  const people = census<Watched>(source);
  const look = () => [...people.look(new Set(commands)).values()].map((rows) => rows.map(({ pid }) => pid));
  return { source, people, look };
}

describe("census", () => {
  it("tells commands apart, and both from everybody else", () => {
    const { look } = looked([
      ...[{ pid: 50 }, { pid: 100, parent: 50 }, { pid: 200, parent: 50 }],
      ...[
        { pid: 300, group: 100, session: 100 },
        { pid: 301, session: 200 },
        { pid: 302, parent: 300 },
      ],
      ...[{ pid: 303, marks: ["outer", "mark-200"] }, { pid: 304, marks: ["mark-9"] }, { pid: 305 }],
    ]);

    expect(look()).toEqual([
      [100, 300, 302],
      [200, 301, 303],
    ]);
  });

  it("keeps whom it has seen, though nothing shows it any more", () => {
    const { source, look } = looked([{ pid: 100 }, { pid: 300, parent: 100 }], [first]);
    look();
    source.processes = [{ pid: 100 }, { pid: 300, parent: 1 }];

    expect(look()).toEqual([[100, 300]]);
  });

  it("does not take another process for one whose number it got", () => {
    const { source, look } = looked([{ pid: 100 }, { pid: 300, parent: 100 }], [first]);
    look();
    source.processes = [{ pid: 100 }, { pid: 300, parent: 1, startedAt: "999" }];

    expect(look()).toEqual([[100]]);
  });

  it("does not read the rows of strangers at every look, and sees in time when a number is another's", () => {
    const { source, look } = looked([{ pid: 100 }, { pid: 300 }], [first]);
    look();
    source.takeRead();
    for (let count = 0; count < 15; count += 1) look();
    expect(source.takeRead().filter((pid) => pid === 300).length).toBeLessThanOrEqual(1);

    source.processes = [{ pid: 100 }, { pid: 300, startedAt: "999", marks: ["mark-100"] }];
    const all = Array.from({ length: 16 }, look);
    expect(all.at(-1)).toEqual([[100, 300]]);
  });

  it("asks again for an environment that is not there yet, and not for ever", () => {
    const { source, look } = looked([{ pid: 100 }, { pid: 300, marks: undefined }], [first]);
    expect(look()).toEqual([[100]]);
    source.processes = [{ pid: 100 }, { pid: 300, marks: ["mark-100"] }];
    expect(look()).toEqual([[100, 300]]);

    const never = looked([{ pid: 100 }, { pid: 300, marks: undefined }], [first]);
    for (let count = 0; count < 6; count += 1) never.look();
    never.source.takeRead();
    for (let count = 0; count < 8; count += 1) never.look();
    expect(never.source.takeRead().filter((pid) => pid === 300).length).toBeLessThanOrEqual(1);
  });

  it("knows a new command whose number was a stranger's before", () => {
    const { source, people, look } = looked([{ pid: 50 }, { pid: 200 }], [second]);
    source.processes = [{ pid: 50 }, { pid: 100, startedAt: "90" }];
    people.look(new Set());
    source.processes = [{ pid: 50 }, { pid: 200, startedAt: "999" }];
    people.expect(second);

    expect(look()).toEqual([[200]]);
  });
});
