// The binary as it is built, with real signals and real pipes.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { binary, environment, started as start } from "./binary.test-support.js";
import { type Desk, desk } from "./desk.test-support.js";

const minutes = 60_000;

function harness(at: Desk, ...args: readonly string[]) {
  return spawnSync(process.execPath, [binary, ...args], { cwd: at.folder, env: environment(at), encoding: "utf8" });
}

/** Starts the binary; resolves once it has printed `sign`. */
async function started(at: Desk, args: readonly string[], sign: string) {
  const { child, ended, printed } = start(at, ...args);
  await printed(sign);
  return { child, ended };
}

describe.skipIf(!existsSync(binary))("the built binary (skipped where dist/ is not built: run `npm run build`)", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "stops a run at the first %s, and goes on with it by its id alone",
    async (signal) => {
      using at = desk();
      const provider = at.provider([{ text: "One.", calls: [{ name: "list_dir", arguments: {} }] }, { hangs: true }]);
      const { child, ended } = await started(at, ["run", at.contract(), "--provider", provider], "Step 2");
      child.kill(signal);
      const { code, output } = await ended;
      const id = /resume (\S+)/.exec(output)?.[1] ?? "";
      const text = readFileSync(join(at.folder, provider), "utf8");
      at.file(provider, text.replace('"hangs":true', '"text":"Two."'));
      const resumed = harness(at, "resume", id);

      expect(code).toBe(130);
      expect(output).toContain(`cancelled after 1 step: stopped by ${signal}`);
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(resumed.stdout).toContain("Two.");
      expect(harness(at, "verify", id).status).toBe(0);
    },
    minutes,
  );

  it(
    "leaves at once at the second signal, though something does not let itself be stopped",
    async () => {
      using at = desk();
      const provider = at.file(
        "stubborn.mjs",
        "export const provider = { spec: 1, name: 'stubborn', endpoints: [], complete: () => new Promise(() => setInterval(() => {}, 60000)) };",
      );
      const { child, ended } = await started(at, ["run", at.contract(), "--provider", provider], "Step 1");
      child.stdout?.on("data", (text) => {
        if (String(text).includes("Press Ctrl-C again")) child.kill("SIGINT");
      });
      child.kill("SIGINT");
      const { code, output } = await ended;

      expect(code).toBe(130);
      expect(output).toMatch(/To go on with this run: harness resume \S+/);
      expect(output).not.toContain("After the run");
    },
    minutes,
  );

  it(
    "goes on working when nobody reads what it prints any more",
    async () => {
      using at = desk();
      const provider = at.provider([{ calls: [{ name: "list_dir", arguments: {} }] }]);
      const { child, ended } = await started(at, ["run", at.contract(), "--provider", provider], "Run ");
      child.stdout?.destroy();
      child.stderr?.destroy();

      expect((await ended).code).toBe(0);
    },
    minutes,
  );

  it(
    "follows a run that another process drives, and leaves it alone when it is told to stop",
    async () => {
      using at = desk();
      const provider = at.provider([{ calls: [{ name: "list_dir", arguments: {} }] }, { hangs: true }]);
      const driver = await started(at, ["run", at.contract(), "--provider", provider], "Step 2");
      const { id } = await at.stored();
      const follower = await started(at, ["trace", id, "--follow"], "Step 2");
      follower.child.kill("SIGINT");
      const followed = await follower.ended;
      driver.child.kill("SIGINT");
      const driven = await driver.ended;

      expect(followed.code).toBe(130);
      expect(followed.output).not.toContain("cancelled");
      expect(driven.output).toContain("cancelled after 1 step: stopped by SIGINT");
    },
    minutes,
  );

  it(
    "tells with doctor whether runs can be driven here",
    () => {
      using at = desk();
      const { status, stdout } = harness(at, "doctor", "--json");
      const found = JSON.parse(stdout);

      expect(status, stdout).toBe(0);
      expect(found).toMatchObject({ isReady: true, sandbox: { probe: { type: "ran" } }, store: { type: "makeable" } });
      expect(existsSync(at.storePath)).toBe(false);
    },
    minutes,
  );

  it("answers --version with its own", () => {
    using at = desk();

    expect(harness(at, "--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
