// The two things that are found out by walking a folder: how much is in it, and whether a file stands at a limit.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasNewFileAt } from "./folder-walk.js";
import { tempCheck } from "./temp-check.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-walk-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const kibibyte = 1_024;

describe("tempCheck", () => {
  it("counts what is in the folder and below, and not where links lead", () => {
    const [inside, outside] = [join(folder, "inside"), join(folder, "outside")];
    mkdirSync(join(inside, "deep", "deeper"), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, "large"), Buffer.alloc(4_096 * kibibyte, 1));
    symlinkSync(outside, join(inside, "link"));
    const isOver = tempCheck(inside, 512 * kibibyte);

    expect(isOver()).toBe(false);
    writeFileSync(join(inside, "deep", "deeper", "file"), Buffer.alloc(600 * kibibyte, 1));
    expect(isOver()).toBe(true);
  });

  it("counts what a file takes, not how long it is", () => {
    writeFileSync(join(folder, "holes"), "");
    truncateSync(join(folder, "holes"), 1_000_000 * kibibyte);

    expect(tempCheck(folder, 512 * kibibyte)()).toBe(false);
  });

  it("walks a large folder over several looks, and counts once more before it says so", () => {
    for (let n = 0; n < 2_500; n += 1) writeFileSync(join(folder, `file-${n}`), "x");
    const most = 2_400 * 4 * kibibyte;
    const isOver = tempCheck(folder, most);
    const looks = Array.from({ length: 3 }, isOver);

    expect(looks.slice(0, 2)).toEqual([false, false]);
    const again = tempCheck(folder, most);
    const two = [again(), again()];
    for (let n = 0; n < 1_000; n += 1) rmSync(join(folder, `file-${n}`));
    expect([...two, again()]).toEqual([false, false, false]);
  });

  it("does not mind a folder that is gone", () => {
    expect(tempCheck(join(folder, "absent"), 1)()).toBe(false);
  });
});

describe("hasNewFileAt", () => {
  it("finds a file that stands at the limit and was just written", () => {
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "sub", "file"), "x".repeat(100));
    writeFileSync(join(folder, "long"), "x".repeat(9_000));

    expect(hasNewFileAt(folder, 100, 60_000)).toBe(true);
    expect(hasNewFileAt(folder, 101, 60_000)).toBe(false);
  });

  it("does not take one that was there long before", () => {
    writeFileSync(join(folder, "file"), "x".repeat(100));
    utimesSync(join(folder, "file"), 1, 1);

    expect(hasNewFileAt(folder, 100, 60_000)).toBe(false);
  });
});
