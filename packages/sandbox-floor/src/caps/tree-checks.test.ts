import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { descriptorCheck, fileCheck } from "./file-checks.js";
import { testSource, testUsage } from "./test-source.js";
import { cpuCheck, memoryCheck, processCheck } from "./tree-checks.js";

const process = (pid: number, rest = {}) => testUsage({ pid, ...rest });
const nobody = () => {};

describe("processCheck", () => {
  it("lets a command have as many as it may", () => {
    expect(processCheck(2)([process(1), process(2)])).toBe(false);
    expect(processCheck(2)([process(1), process(2), process(3)])).toBe(true);
  });
});

describe("memoryCheck", () => {
  it("counts all that a single process has", () => {
    const check = memoryCheck(100, testSource());

    expect(check([process(1, { residentBytes: 100 })])).toBe(false);
    expect(check([process(1, { residentBytes: 101 })])).toBe(true);
  });

  it("counts once what several share, and the largest program of them", () => {
    const memory = { ownBytes: 20, fileBytes: 30 };
    const members = [1, 2, 3].map((pid) => process(pid, { residentBytes: 50 }));
    const source = testSource([1, 2, 3].map((pid) => ({ pid, memory })));

    expect(memoryCheck(90, source)(members)).toBe(false);
    expect(memoryCheck(89, source)(members)).toBe(true);
  });

  it("takes the plain figure of a process that shows no more", () => {
    expect(memoryCheck(99, testSource())([process(1, { residentBytes: 50 }), process(2, { residentBytes: 50 })])).toBe(
      true,
    );
  });
});

describe("cpuCheck", () => {
  it("counts a child once, before and after its parent has waited for it", () => {
    const seen: number[] = [];
    const check = cpuCheck(200, (ms) => seen.push(ms));
    check([process(1, { ownCpuMs: 10 }), process(2, { ownCpuMs: 90 })]);
    check([process(1, { ownCpuMs: 10, childrenCpuMs: 90 })]);
    check([process(1, { ownCpuMs: 10, childrenCpuMs: 190 })]);

    expect(seen).toEqual([100, 100, 200]);
    expect(check([process(1, { ownCpuMs: 10, childrenCpuMs: 190 })])).toBe(true);
  });

  it("remembers those whose parent never asked", () => {
    const check = cpuCheck(100, nobody);

    expect(check([process(1), process(2, { ownCpuMs: 60 })])).toBe(false);
    expect(check([process(1), process(3, { ownCpuMs: 39 })])).toBe(false);
    expect(check([process(1), process(3, { ownCpuMs: 40 })])).toBe(true);
  });

  it("never counts more than was used, however children end", () => {
    const end = fc.record({ ms: fc.nat({ max: 500 }), isWaitedFor: fc.boolean(), isSeen: fc.boolean() });
    fc.assert(
      fc.property(fc.array(end, { maxLength: 20 }), (children) => {
        let [used, childrenCpuMs, most] = [0, 0, 0];
        const check = cpuCheck(Infinity, (ms) => {
          most = Math.max(most, ms);
        });
        for (const [index, { ms, isWaitedFor, isSeen }] of children.entries()) {
          used += ms;
          if (isSeen) check([process(1, { childrenCpuMs }), process(10 + index, { ownCpuMs: ms })]);
          if (isWaitedFor) childrenCpuMs += ms;
          check([process(1, { childrenCpuMs })]);
        }

        expect(most).toBeLessThanOrEqual(used);
      }),
    );
  });
});

describe("checks of what the kernel refuses", () => {
  const members = [process(1), process(2)];

  it("find a process that stays at its limit of descriptors, not one that passes by it", () => {
    const source = testSource([{ pid: 1 }, { pid: 2, openFiles: 64 }]);
    const check = descriptorCheck(64, source);

    expect(check(members)).toBe(false);
    source.processes = [{ pid: 1, openFiles: 64 }, { pid: 2, openFiles: 63 }]; // biome-ignore format: pairs
    expect(check(members)).toBe(false);
    expect(check(members)).toBe(true);
  });

  it("find a file that stays as long as it may be, now and then", () => {
    const check = fileCheck(10, testSource([{ pid: 2, files: ["a file"] }]));
    const looks = Array.from({ length: 8 }, () => check(members));

    expect(looks.slice(0, 7)).not.toContain(true);
    expect(looks[7]).toBe(true);
  });
});
