import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelUnits, parseRollup, usageSource } from "./proc-usage.js";

describe("kernelUnits", () => {
  it("reads the size of a page and the length of a tick from the kernel's vector", () => {
    const vector = new Uint8Array(new BigUint64Array([3n, 17n, 6n, 65_536n, 17n, 250n, 0n, 0n]).buffer);

    expect(kernelUnits(vector)).toEqual({ pageBytes: 65_536, ticksPerSecond: 250 });
  });

  it("takes the usual ones where there is none", () => {
    expect(kernelUnits(undefined)).toEqual({ pageBytes: 4_096, ticksPerSecond: 100 });
    expect(kernelUnits(new Uint8Array(5))).toEqual({ pageBytes: 4_096, ticksPerSecond: 100 });
  });
});

describe("parseRollup", () => {
  it("tells a process's own pages from those of files", () => {
    const lines = ["Rss: 100 kB", "Pss: 60 kB", "Pss_Anon: 20 kB", "Pss_Shmem: 5 kB", "Anonymous: 40 kB", "Swap: 0 kB"];

    expect(parseRollup(lines.join("\n"))).toEqual({ ownBytes: 25 * 1_024, fileBytes: 55 * 1_024 });
  });

  it("knows nothing where the kernel tells less", () => {
    expect(parseRollup("Rss: 100 kB\nPss: 60 kB\n")).toBeUndefined();
    expect(parseRollup(undefined)).toBeUndefined();
  });
});

describe.skipIf(process.platform !== "linux")("usageSource [needs Linux]", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "harness-usage-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const source = usageSource();

  it("agrees with what this process knows of itself", () => {
    const usage = source.usage(process.pid);
    const resident = process.memoryUsage.rss();
    const { user, system } = process.cpuUsage();

    expect(usage).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(Math.abs((usage?.residentBytes ?? 0) / resident - 1)).toBeLessThan(0.2);
    expect(Math.abs((usage?.ownCpuMs ?? 0) - (user + system) / 1_000)).toBeLessThan(500);
    expect(source.pids()).toContain(process.pid);
  });

  it("finds descriptors, and files that are open for writing and as long as they may be", () => {
    const before = source.openFiles(process.pid);
    const path = join(folder, "file");
    const writer = openSync(path, "w");
    writeSync(writer, "x".repeat(4_321));
    const reader = openSync(path, "r");

    expect(source.openFiles(process.pid)).toBe(before + 2);
    expect(source.filesOf(process.pid, 4_321)).toHaveLength(1);
    expect(source.filesOf(process.pid, 4_322)).toEqual([]);
    closeSync(writer);
    expect(source.filesOf(process.pid, 4_321)).toEqual([]);
    closeSync(reader);
  });

  it("has nothing of a process that is not there", () => {
    const gone = 2 ** 22 + 1;

    expect([source.usage(gone), source.marks(gone), source.memory(gone)]).toEqual([undefined, undefined, undefined]);
    expect([source.openFiles(gone), source.filesOf(gone, 1)]).toEqual([0, []]);
  });
});
