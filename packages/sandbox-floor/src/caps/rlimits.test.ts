import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAtLimit, prlimitArguments, rlimitsFor, shellScript } from "./rlimits.js";

const free = { cpuSeconds: Infinity, openFiles: Infinity, fileBytes: Infinity };

describe("rlimitsFor", () => {
  it("puts the soft limit at the cap and the hard one above it", () => {
    expect(rlimitsFor({ maxCpuMs: 1_001, maxOpenFiles: 64, maxFileBytes: 4_096 }, free)).toEqual({
      cpuSeconds: { soft: 2, hard: 3 },
      openFiles: { soft: 64, hard: 65 },
      fileBytes: { soft: 4_096, hard: 4_097 },
    });
  });

  it("has none for a command without such caps, or with endless ones", () => {
    expect(rlimitsFor(undefined, free)).toBeUndefined();
    expect(rlimitsFor({ maxMemoryBytes: 1, maxWallMs: 1, maxProcesses: 1 }, free)).toBeUndefined();
    expect(rlimitsFor({ maxCpuMs: Infinity, maxOpenFiles: 2 ** 60, maxFileBytes: 1e300 }, free)).toBeUndefined();
  });

  it("leaves to the system what that holds more tightly", () => {
    expect(
      rlimitsFor({ maxCpuMs: 5_000, maxOpenFiles: 64 }, { ...free, cpuSeconds: 5, openFiles: 64 }),
    ).toBeUndefined();
    expect(rlimitsFor({ maxOpenFiles: 63.5 }, { ...free, openFiles: 64 })).toEqual({
      openFiles: { soft: 63, hard: 64 },
    });
  });

  it("never raises a hard limit, and never lets the soft one reach it", () => {
    const size = fc.double({ min: 0, minExcluded: true, noNaN: true });
    const found = fc.oneof(fc.constant(Infinity), fc.nat());
    fc.assert(
      fc.property(size, found, (maxOpenFiles, openFiles) => {
        const limit = rlimitsFor({ maxOpenFiles }, { ...free, openFiles })?.openFiles;
        if (limit === undefined) return;

        expect(limit.hard).toBeLessThanOrEqual(openFiles);
        expect(limit.soft).toBeLessThan(limit.hard);
        expect(limit.soft).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe("what is told to the programs that set them", () => {
  const rlimits = rlimitsFor({ maxCpuMs: 1_500, maxFileBytes: 1_000 }, free) ?? {};

  it("is options for prlimit, and no core files", () => {
    expect(prlimitArguments(rlimits)).toEqual(["--core=0", "--cpu=2:3", "--fsize=1000:1001", "--"]);
  });

  it("is a script for sh, in its units, the soft limit first", () => {
    expect(shellScript(rlimits, 512)).toBe(
      'ulimit -c 0 && ulimit -S -t 2 && ulimit -H -t 3 && ulimit -S -f 2 && ulimit -H -f 2 && exec "$@"',
    );
  });
});

describe("isAtLimit", () => {
  it("is true from the limit to the end of the block in which a shell set it", () => {
    expect([999, 1_000, 1_024, 2_023, 2_024].map((size) => isAtLimit(size, 1_000))).toEqual([
      ...[false, true, true, true, false],
    ]);
  });
});
