// Descriptors that a harness was started with, by a parent that keeps them open for its own ends: none reaches a command. Whether
// one would is decided when a process starts, so the harness here is a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInherited, withCover } from "./inherited-descriptors.js";
import { isBuilt } from "./workdir/test-support.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-inherited-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A `/proc/self` with descriptors of these flags. */
function processWith(flags: Readonly<Record<string, string>>): string {
  const place = mkdtempSync(join(folder, "self-"));
  mkdirSync(join(place, "fdinfo"));
  for (const [fd, octal] of Object.entries(flags)) {
    writeFileSync(join(place, "fdinfo", fd), `pos:\t0\nflags:\t${octal}\nmnt_id:\t15\n`);
  }
  return place;
}

describe("findInherited", () => {
  it("finds what is passed on when a program starts, beyond the standard streams", () => {
    const place = processWith({
      0: "0100000",
      1: "01",
      2: "01",
      3: "02000002",
      17: "0100001",
      40: "02100001",
      41: "02",
    });

    expect(findInherited(place)).toEqual({ covered: [17, 41], warnings: [] });
  });

  it("says which it cannot keep from a command", () => {
    const { covered, warnings } = findInherited(processWith({ 20: "02", 70000: "02" }));

    expect(covered).toEqual([20]);
    expect(warnings).toEqual([expect.stringContaining("descriptor 70000")]);
  });

  it("knows of none where the system does not tell", () => {
    expect(findInherited(join(folder, "absent"))).toEqual({ covered: [], warnings: [] });
  });
});

describe("withCover", () => {
  const places = (covered: readonly number[]) =>
    withCover(["ignore", 7, "pipe"], { covered, warnings: [] }, (stdio) => stdio);

  it("changes nothing where there is nothing to cover", () => {
    expect(places([])).toEqual(["ignore", 7, "pipe"]);
    expect(places([2])).toEqual(["ignore", 7, "pipe"]);
  });

  it("puts one thing in the place of each, and lets go of it", () => {
    const stdio = places([4, 6]);

    expect(stdio).toEqual(["ignore", 7, "pipe", "ignore", expect.any(Number), "ignore", stdio[4]]);
    expect(() => closeSync(Number(stdio[4]))).toThrow(/EBADF/);
  });
});

const ready = isBuilt && process.platform === "linux";

describe.skipIf(!ready)(
  "a harness with descriptors of its parent's [needs Linux and dist/: run `npx tsup` in this package]",
  () => {
    const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
    const listing = "for fd in /proc/self/fd/*; do readlink $fd; done";

    /** Has a harness run `listing`; it was started with a file at each of `descriptors`. */
    async function listed(descriptors: readonly number[]) {
      const file = openSync(join(folder, "of-the-parent"), "a+");
      const source = `
      import { floor } from ${JSON.stringify(built)};
      const command = { argv: ["sh", "-c", ${JSON.stringify(listing)}], cwd: "/" };
      const wrap = ({ command: { argv } }) => ({
        argv: ["/bin/sh", "-c", 'echo ran >&3; exec 3>&-; exec "$@"', "sh", ...argv],
        descriptors: [{ type: "status" }],
        status: (said) => ({ hasRun: said !== "" }),
      });
      console.log(JSON.stringify([await floor().run(command), await floor({ wrap }).run(command)]));
    `;
      const last = Math.max(...descriptors);
      const stdio = Array.from({ length: last + 1 }, (_, fd) => (descriptors.includes(fd) ? file : "ignore"));
      const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
        stdio: ["ignore", "pipe", "inherit", ...stdio.slice(3)],
      });
      closeSync(file);
      const [printed] = await Promise.all([child.stdout ? text(child.stdout) : "", once(child, "close")]);
      return JSON.parse(printed) as readonly { stdout: { text: string }; warnings?: readonly string[] }[];
    }

    it("keeps them from commands, with and without a wrapper", async () => {
      for (const outcome of await listed([5, 21, 40])) {
        expect(outcome.stdout.text).toContain("/dev/null");
        expect(outcome.stdout.text).not.toContain("of-the-parent");
        expect(outcome.warnings).toBeUndefined();
      }
    });

    it("says so of one that it cannot keep from them", async () => {
      for (const outcome of await listed([1_100])) {
        expect(outcome.stdout.text).toContain("of-the-parent");
        expect(outcome.warnings).toEqual([expect.stringContaining("descriptor 1100")]);
      }
    });
  },
);
