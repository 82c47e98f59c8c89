// The launcher for real, without rules: what it does to the command that it turns into.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLauncher } from "./launcher-tools.js";
import { type LaunchStep, launcherVariables, launcherWords } from "./launcher-words.js";
import { launcherStatus } from "./status.js";

const found = findLauncher();
const missing = process.platform === "linux" && !("problem" in found) ? "" : " [needs Linux and the package perl-base]";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-launcher-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Launch {
  readonly steps?: readonly LaunchStep[];
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function launch(argv: readonly [string, ...string[]], { steps = [], file = argv[0], env = {} }: Launch = {}) {
  if ("problem" in found) throw new Error(found.problem);
  const [program, ...words] = launcherWords({ ...found, steps, file, argv });
  const { status, signal, output } = spawnSync(program, words, {
    ...{ cwd: folder, env: { ...env, ...launcherVariables }, stdio: ["ignore", "pipe", "pipe", "pipe"] },
  });
  const [, stdout = "", stderr = "", said = ""] = output.map(String);
  return { status, signal, stdout, stderr, ...launcherStatus(said) };
}

describe.skipIf(missing !== "")(`the launcher${missing}`, () => {
  it("turns into the command, with its words, its name and its variables as they were", () => {
    const odd = { PLAIN: "1", ODD: "ü\n'\"$x", EMPTY: "" };
    const print = `const { argv0, argv, env } = process; console.log(JSON.stringify([argv0, argv.slice(1), env]))`;
    const { stdout, stderr, hasRun } = launch(["node", "-e", print, "a b", "", "$(id)\n"], {
      file: process.execPath,
      env: odd,
    });

    expect(JSON.parse(stdout)).toEqual(["node", ["a b", "", "$(id)\n"], odd]);
    expect({ stderr, hasRun }).toEqual({ stderr: "", hasRun: true });
  });

  it("says nothing of a locale that is not there, and loads nothing that variables name", () => {
    writeFileSync(join(folder, "Evil.pm"), `open(F, ">", "${folder}/loaded"); 1;`);
    const env = { LC_ALL: "xx_YY.UTF-8", PERL5OPT: "-MEvil", PERL5LIB: folder, PERL_UNICODE: "AS" };
    const { stdout, stderr } = launch(["/bin/sh", "-c", 'ls; echo "$PERL5OPT $1"', "sh", "ü"], { env });

    expect({ stdout, stderr }).toEqual({ stdout: "Evil.pm\n-MEvil ü\n", stderr: "" });
  });

  it("tells a command that could not be started from one that has failed", () => {
    writeFileSync(join(folder, "plain"), "");
    const failed = { hasRun: false, status: 125, stderr: expect.stringMatching(/could not start the command/) };

    expect(launch([join(folder, "plain")])).toMatchObject(failed);
    expect(launch([join(folder, "absent")])).toMatchObject(failed);
    expect(launch(["/bin/sh", "-c", "exit 125"])).toMatchObject({ hasRun: true, status: 125 });
    expect(launch(["/bin/sh", "-c", "kill -9 $$"])).toMatchObject({ hasRun: true, signal: "SIGKILL" });
  });

  it("runs a script that does not say what runs it, as a shell would", () => {
    writeFileSync(join(folder, "script"), 'echo "$0 $1"');
    chmodSync(join(folder, "script"), 0o755);

    expect(launch([join(folder, "script"), "a  b"]).stdout).toBe(`${join(folder, "script")} a  b\n`);
  });

  it("does as it is told, and starts nothing when it cannot", () => {
    const steps: readonly LaunchStep[] = [
      { type: "close" },
      { type: "core" },
      { type: "unset", name: "GONE" },
      { type: "enter", folder: "/" },
      { type: "drop" },
      { type: "nnp" },
    ];
    const line = `pwd; ulimit -c; echo "$GONE"; grep -E "^(CapPrm|CapEff|NoNewPrivs)" /proc/self/status; (: >&3) || echo closed`;
    const { stdout } = launch(["/bin/sh", "-c", line], { steps, env: { GONE: "x" } });
    const none = "0".repeat(16);

    expect(stdout).toBe(`/\n0\n\nCapPrm:\t${none}\nCapEff:\t${none}\nNoNewPrivs:\t1\nclosed\n`);
    for (const words of [["enter", "/no/such/folder"], ["no-such-step"]]) {
      const refused = launch(["/bin/echo"], { steps: [{ type: "other", words }] });
      expect(refused).toMatchObject({ hasRun: false, status: 125, stdout: "" });
    }
  });
});
