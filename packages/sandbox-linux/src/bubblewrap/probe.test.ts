// A probe that finds out: with what is missing, with what does not start, and with programs that only pretend.
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemProgram } from "../system-programs.js";
import { hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";
import { probeBubblewrap } from "./probe.js";

/** Looks for one program elsewhere, or nowhere. */
const finding = (name: string, path: string | undefined) => (wanted: string) =>
  wanted === name ? path : systemProgram(wanted);

/** Skips bubblewrap's options and runs the command, as itself or behind `front`. */
const pretending = (front = "") => `
  case $1 in --help) echo '    --size BYTES'; echo '    --disable-userns'; exit;; esac
  work=; while [ "$1" != -- ]; do [ "$1" = --chdir ] && work=$2; shift; done; shift
  cd "$work"; echo '{ "child-pid": '$$' }' >&3; ${front} "$@"; echo '{ "exit-code": 0 }' >&3`;

async function problemWith(script: string): Promise<string | null> {
  using folder = testFolder();
  const path = join(folder.path, "bwrap");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return (await probeBubblewrap(finding("bwrap", path))).report.problem;
}

describe("the probe of bubblewrap", () => {
  it.skipIf(process.platform !== "linux")("names the package when it is not installed [on Linux]", async () => {
    const { report, tools } = await probeBubblewrap(finding("bwrap", undefined));

    expect(report).toMatchObject({ works: false, problem: expect.stringContaining("Install the package bubblewrap") });
    expect(tools).toBeUndefined();
  });

  it.skipIf(process.platform !== "linux")(
    "tells what one complains of that is installed and does not work",
    async () => {
      const refused = "case $1 in --help) exit;; esac; echo 'bwrap: Creating new namespace failed' >&2; exit 1";

      expect(await problemWith(refused)).toMatch(/^bubblewrap .*Creating new namespace failed.*user namespaces are/);
      expect(await problemWith("exit 127")).toMatch(/^bubblewrap /);
    },
  );

  it.skipIf(process.platform !== "linux")("is not taken in by one that runs commands and holds nothing", async () => {
    expect(await problemWith(pretending())).toBe("bubblewrap lets commands write outside of their folders here.");
    expect(await problemWith(pretending("true"))).toBe("bubblewrap lets no command do its work here.");
    expect(readdirSync(homedir()).filter((name) => name.startsWith(".harness-probe-"))).toEqual([]);
  });

  it.skipIf(!hasBubblewrap)(`says what holds less where a helper is missing${needsBubblewrap}`, async () => {
    const alone = await probeBubblewrap(finding("nsenter", undefined));
    const unbounded = await probeBubblewrap(finding("prlimit", undefined));

    expect(alone).toMatchObject({ report: { works: true }, sharesNetwork: false });
    expect(alone.report.gaps).toContainEqual(
      expect.stringMatching(/^Commands of a run have a network each .*util-linux\.$/),
    );
    expect(unbounded.report.gaps).toContainEqual(expect.stringContaining("processes"));
    expect(existsSync(systemProgram("bwrap") ?? "")).toBe(true);
  });
});
