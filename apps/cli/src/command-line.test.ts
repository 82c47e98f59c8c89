import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandOf, commandPlace } from "./command-line.js";

const place = (storePath?: string) => commandPlace({ env: {} }, storePath);

describe("a printed command", () => {
  it("calls the binary by its name", () => {
    expect(commandOf(place(), "trace", "m3k-1")).toBe("harness trace m3k-1");
  });

  it("calls it as it is called here, where the environment says how", () => {
    const here = commandPlace({ env: { HARNESS_COMMAND_PREFIX: "npm run -s harness --" } }, undefined);

    expect(commandOf(here, "verify", "m3k-1")).toBe("npm run -s harness -- verify m3k-1");
  });

  it("names the store where it is not the usual one", () => {
    expect(commandOf(place("/srv/my runs.db"), "runs")).toBe("harness runs --store '/srv/my runs.db'");
  });

  it.skipIf(process.platform === "win32")(
    "reaches a program as it was meant, whatever is in it (POSIX shells only)",
    () => {
      const words = fc.array(
        fc.string({ unit: "grapheme", maxLength: 8 }).filter((word) => !word.includes("\0")),
        {
          minLength: 1,
          maxLength: 4,
        },
      );
      fc.assert(
        fc.property(words, (given) => {
          const line = commandOf({ prefix: "printf '%s\\n'", storePath: undefined }, ...given);
          expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toBe(`${given.join("\n")}\n`);
        }),
        { numRuns: 25 },
      );
    },
  );
});
