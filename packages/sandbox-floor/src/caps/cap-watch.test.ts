import type { Cap, SandboxLimits } from "@harness/spec";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { capWatch, type WatchedCommand } from "./cap-watch.js";
import { testSource } from "./test-source.js";

const intervalMs = 25;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function command(limits: SandboxLimits, breaches: Cap[] = [], pid = 100): WatchedCommand {
  const onBreach = (cap: Cap) => breaches.push(cap);
  return { root: { pid, hasExited: false }, mark: `mark-${pid}`, limits, learn: () => {}, told: () => {}, onBreach };
}

const crowd = [{ pid: 100 }, { pid: 101, parent: 100 }, { pid: 102, parent: 100 }];

describe("capWatch", () => {
  it("names the first cap that a command is over, once, and stops looking", () => {
    const source = testSource(crowd.map((process) => ({ ...process, residentBytes: 10 })));
    const breaches: Cap[] = [];
    capWatch({ source }).add(command({ maxProcesses: 2, maxMemoryBytes: 29, maxCpuMs: 50 }, breaches));
    expect(breaches).toEqual([]);
    vi.advanceTimersByTime(intervalMs);

    expect(breaches).toEqual(["memory"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops looking when nobody is watched any more", () => {
    const watch = capWatch({ source: testSource(crowd) });
    const [first, second] = [watch.add(command({ maxProcesses: 9 })), watch.add(command({ maxProcesses: 9 }, [], 200))];
    vi.advanceTimersByTime(intervalMs);
    first();
    expect(vi.getTimerCount()).toBe(1);
    second();
    second();

    expect(vi.getTimerCount()).toBe(0);
  });

  it("tells of a command's processes as it finds them", () => {
    const seen: number[] = [];
    const learn: WatchedCommand["learn"] = (rows) => seen.push(...rows.map(({ pid }) => pid));
    capWatch({ source: testSource(crowd) }).add({ ...command({ maxProcesses: 9 }), learn });
    vi.advanceTimersByTime(intervalMs);

    expect(seen).toEqual([100, 101, 102]);
  });

  it("goes on after a look that failed, and takes nothing from it", () => {
    const source = testSource(crowd);
    const pids = vi.spyOn(source, "pids").mockImplementationOnce(() => {
      throw new Error("no descriptors left");
    });
    const breaches: Cap[] = [];
    capWatch({ source }).add(command({ maxProcesses: 2 }, breaches));
    vi.advanceTimersByTime(intervalMs);
    expect([pids.mock.calls.length, breaches]).toEqual([1, []]);
    vi.advanceTimersByTime(10 * intervalMs);

    expect(breaches).toEqual(["processes"]);
  });

  it("sets no timer for a command whose caps need no looking, or where nobody can look", () => {
    capWatch({ source: testSource(crowd) }).add(
      command({ maxWallMs: 1, maxOutputBytes: 1, maxMemoryBytes: Number.POSITIVE_INFINITY }),
    );
    capWatch({ source: undefined }).add(command({ maxMemoryBytes: 1, maxTempBytes: 1 }));

    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes one look for all commands", () => {
    const source = testSource([{ pid: 100, ownCpuMs: 5 }, { pid: 200 }, { pid: 300 }]);
    const listed = vi.spyOn(source, "pids");
    const breaches: Cap[] = [];
    const watch = capWatch({ source });
    for (const pid of [200, 300]) watch.add(command({ maxProcesses: 5 }, [], pid));
    watch.add(command({ maxCpuMs: 1 }, breaches));
    vi.advanceTimersByTime(intervalMs);

    expect(breaches).toEqual(["cpu"]);
    expect(listed).toHaveBeenCalledTimes(1);
  });
});
