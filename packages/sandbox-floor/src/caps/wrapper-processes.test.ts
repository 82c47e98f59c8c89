import { describe, expect, it } from "vitest";
import type { Enclosure } from "../enclosure.js";
import { testUsage } from "./test-source.js";
import { type Front, wrapperProcesses } from "./wrapper-processes.js";

const members = [100, 101, 102, 103].map((pid) => testUsage({ pid }));
const enclosure: Enclosure = { init: 101, front: new Set([100]), isAlive: () => true, inside: () => undefined };

function front(names: Readonly<Record<number, string>>, rest: Partial<Front> = {}): Front {
  return { status: { hasRun: false, init: 101 }, enclosure, nameOf: (pid) => names[pid], ...rest };
}

describe("wrapperProcesses", () => {
  it("counts who stands in front, and a first process that only waits", () => {
    expect(wrapperProcesses(members, front({ 100: "bwrap", 101: "bwrap" }))).toBe(2);
  });

  it("does not count a first process that is the command", () => {
    expect(wrapperProcesses(members, front({ 100: "unshare", 101: "node" }))).toBe(1);
    expect(wrapperProcesses(members.slice(2), front({ 100: "bwrap", 101: "bwrap" }))).toBe(0);
  });

  it("allows for what has not been told yet, and for no more than that", () => {
    const untold = { enclosure: undefined, status: { hasRun: false } };

    expect(wrapperProcesses(members, front({}, untold))).toBe(2);
    expect(wrapperProcesses(members, front({}, { ...untold, status: { hasRun: true } }))).toBe(0);
    expect(wrapperProcesses(members, front({}, { ...untold, status: undefined }))).toBe(0);
  });
});
