// What this rung holds beyond the port's promises: the command's own folder, what is left open, and who it runs as.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { floor } from "@harness/sandbox-floor";
import type { Sandbox, SandboxCommand } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { placesFor } from "../chain/command-places.js";
import type { RungRequest } from "../rung.js";
import { landlockRung } from "./landlock-rung.js";
import { findLauncher } from "./launcher-tools.js";
import { enforcedBy, gapsOf } from "./probe.js";

const rung = landlockRung();
const { problem } = await rung.probe();

function sandboxOf(user?: RungRequest["user"]): Sandbox {
  return floor({
    backend: "linux-landlock",
    wrap: async (request) => {
      const places = await placesFor(user)(request.command);
      return { ...(await rung.wrap({ ...request, places, tempBytes: 0, user })), ...(user && { user }) };
    },
  });
}

/** Below the temporary folder on purpose: this rung grants none of it but the workspace. */
function makeScene() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "harness-landlock-")));
  const [work, outside] = [join(path, "work"), join(path, "outside")];
  for (const folder of [work, outside]) mkdirSync(folder);
  return { path, work, outside, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

const sh = (cwd: string, line: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  argv: ["sh", "-c", line],
  ...{ cwd, ...rest },
});

describe.skipIf(problem !== null)(`landlock${problem === null ? "" : ` [${problem}]`}`, () => {
  it("gives every command a temporary folder of its own, and takes it away with all that is in it", async () => {
    using scene = makeScene();
    const line = `d=$(mktemp -d) && echo x > "$d/f" && chmod 0 "$d" && echo "$TMPDIR"`;
    const [one, other] = await Promise.all([0, 1].map(() => sandboxOf().run(sh(scene.work, line))));
    const folders = [one, other].map((outcome) => outcome?.stdout.text.trim() ?? "");

    expect(new Set(folders).size).toBe(2);
    expect(folders.map((folder) => folder.startsWith("/"))).toEqual([true, true]);
    expect(folders.filter(existsSync)).toEqual([]);
  });

  it("holds a workspace below the temporary folder as well", async () => {
    using scene = makeScene();
    const { path, work, outside } = scene;
    await sandboxOf().run(
      sh(work, `echo x > made; echo x > ${path}/made; echo x > ${outside}/made; mkdir d; mv made d/`),
    );

    expect(existsSync(join(work, "d", "made"))).toBe(true);
    expect([existsSync(join(path, "made")), existsSync(join(outside, "made"))]).toEqual([false, false]);
  });

  it("lets a read-only command write to its temporary folder alone", async () => {
    using scene = makeScene();
    const line = `echo x > made; echo x > "$TMPDIR/made" && cat "$TMPDIR/made"; echo x > /dev/null && echo null`;
    const { stdout } = await sandboxOf().run(sh(scene.work, line, { mode: "read-only" }));

    expect(stdout.text).toBe("x\nnull\n");
    expect(existsSync(join(scene.work, "made"))).toBe(false);
  });

  it("lets programs open their output again by name", async () => {
    using scene = makeScene();
    const { stdout, stderr } = await sandboxOf().run(sh(scene.work, "echo out > /dev/stdout; echo err > /dev/stderr"));

    expect([stdout.text, stderr.text]).toEqual(["out\n", "err\n"]);
  });

  it("undoes a protected path that came into being", async () => {
    using scene = makeScene();
    const hooks = join(scene.work, "guarded");
    let undo = async () => ({});
    const watching = floor({
      backend: "linux-landlock",
      wrap: async (request) => {
        const places = await placesFor(undefined)(request.command);
        undo = places.undo;
        return rung.wrap({ ...request, places, tempBytes: 0 });
      },
    });
    await watching.run(sh(scene.work, "mkdir guarded; echo x > guarded/x", { protectedPaths: [hooks] }));

    expect(await undo()).toMatchObject({ undone: [hooks] });
    expect(existsSync(hooks)).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "runs a command as another user, with a folder of that user's [needs root]",
    async () => {
      using scene = makeScene();
      const { path, work, outside } = scene;
      chmodSync(path, 0o755);
      for (const folder of [work, outside]) chownSync(folder, 54_321, 54_321);
      const user = { uid: 54_321, gid: 54_321, variables: { HOME: "/tmp", USER: "x", LOGNAME: "x" } };
      const { stdout } = await sandboxOf(user).run(
        sh(work, `id -u; f=$(mktemp) && echo x > ~/.rc && echo x > made; echo x > ${outside}/made`),
      );

      expect(stdout.text).toBe("54321\n");
      expect([readFileSync(join(work, "made"), "utf8"), existsSync(join(outside, "made"))]).toEqual(["x\n", false]);
    },
  );
});

it("is not there on an architecture whose calls it does not know", () => {
  expect(findLauncher("riscv64")).toEqual({ problem: expect.stringContaining("riscv64") });
});

it.each([
  [1, false, 4],
  [2, false, 3],
  [3, true, 2],
  [6, true, 3],
])("claims for version %i of the interface what that can hold", (abi, writes, gaps) => {
  expect(enforcedBy(abi)).toMatchObject({ writes, reads: false, egress: "all", treeKill: "walk" });
  expect(gapsOf(abi)).toHaveLength(gaps);
});
