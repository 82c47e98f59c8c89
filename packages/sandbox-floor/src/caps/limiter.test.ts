// Limits are set for real, and read from inside.
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { limiterPrograms, openLimiter } from "./limiter.js";
import { rlimitsFor } from "./rlimits.js";

const programs = limiterPrograms();
const letters = "t n f".split(" ").map((letter) => `ulimit -S -${letter}; ulimit -H -${letter}`);
const script = `${letters.join("; ")}; ulimit -c; printf '%s|' "$@"`;

describe.skipIf(programs === undefined)("openLimiter [needs sh]", () => {
  const { sh = "", prlimit } = programs ?? {};
  const ways = { prlimit: { sh, prlimit }, sh: { sh } };

  it.each(Object.entries(ways))("sets limits by %s, and hands over arguments as they are", async (_, known) => {
    const limiter = await openLimiter(known);
    const rlimits = rlimitsFor({ maxCpuMs: 7_000, maxOpenFiles: 40, maxFileBytes: 1_048_576 }, limiter.found) ?? {};
    const argv = [sh, "-c", script, "sh", "a b", "", "$(id)", "--", "-x"];
    const { file, arguments: words, name } = limiter.launch(argv, rlimits, "caps-1");
    const direct = spawnSync(file, [...words], { argv0: name, encoding: "utf8" }).stdout;
    const [first, ...rest] = limiter.argv(argv, rlimits, "caps-1");

    expect(direct).toMatch(/^7\n8\n40\n41\n2048\n204[89]\n0\na b\|\|\$\(id\)\|--\|-x\|$/);
    expect(execFileSync(first, rest, { encoding: "utf8" })).toMatch(/^7\n8\n40\n41\n2048\n204[89]\n0\n/);
  });

  it("goes without a prlimit that does not do what it says", async () => {
    const limiter = await openLimiter({ sh, prlimit: "/bin/true" });
    const rlimits = rlimitsFor({ maxOpenFiles: 40 }, limiter.found) ?? {};

    expect(limiter.launch(["tool"], rlimits, "caps-1").file).toBe(sh);
  });

  it("rejects when nothing does", async () => {
    await expect(openLimiter({ sh: "/bin/true" })).rejects.toThrow();
    await expect(openLimiter({ sh: "/no/such/sh" })).rejects.toThrow();
  });
});

describe("limiterPrograms", () => {
  it("are none on Windows", () => {
    expect(limiterPrograms("win32")).toBeUndefined();
  });

  it("do without prlimit on macOS, which has none", () => {
    expect(limiterPrograms("darwin")?.prlimit).toBeUndefined();
  });
});
