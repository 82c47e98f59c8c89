import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox, SandboxNeeds } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type MacosSandboxOptions, macosSandboxOn } from "./macos-sandbox.js";
import { type Probe, probe } from "./probe.js";
import { fakeSandboxExec } from "./test-sandbox-exec.js";

// The floor under it is this machine's, whatever the tests say; a script stands in for sandbox-exec.
const works: Probe = { works: true, problem: null };
const needs = (workspace: string): SandboxNeeds => ({ workspace, mode: "workspace-write", egress: "deny" });

async function open(
  program: string,
  workspace: string,
  options: MacosSandboxOptions = {},
  probed = works,
): Promise<Sandbox> {
  const places = { caches: [], ...options.places };
  const source = macosSandboxOn({ platform: "darwin", program, probed: async () => probed }, { ...options, places });
  return await source(needs(workspace));
}

describe.skipIf(process.platform === "win32")("a contained command [where there is a shell]", () => {
  it("runs behind sandbox-exec, with its profile and the paths as parameters", async () => {
    using fake = fakeSandboxExec();
    const workspace = join(fake.folder, 'a "project"');
    mkdirSync(workspace);
    const sandbox = await open(fake.program, workspace);
    const outcome = await sandbox.run({ argv: ["sh", "-c", "echo $TMPDIR; pwd"], cwd: workspace, workspace });

    const given = fake.given();
    const [temp, cwd] = outcome.stdout.text.split("\n");
    expect([outcome.exitCode, outcome.backend, cwd]).toEqual([0, "macos-sandbox-exec", workspace]);
    expect(given.filter((part) => part.endsWith(`=${workspace}`))).toHaveLength(1);
    expect(given.filter((part) => part.endsWith(`=${temp}`))).toHaveLength(1);
    expect(given.at(-1)).toContain("(deny network*)");
    expect(given.at(-1)).not.toContain(workspace);
    expect(existsSync(temp as string)).toBe(false);
  });

  it("has what it made under a protected name taken away again, which the outcome says", async () => {
    using fake = fakeSandboxExec();
    const sandbox = await open(fake.program, fake.folder);
    const outcome = await sandbox.run({ argv: ["mkdir", ".vscode"], cwd: fake.folder, workspace: fake.folder });

    expect(outcome.undone).toEqual([join(fake.folder, ".vscode")]);
    expect(existsSync(join(fake.folder, ".vscode"))).toBe(false);
  });

  it("is refused before it starts when its profile has more paths than the system takes", async () => {
    using fake = fakeSandboxExec();
    const folder = join(fake.folder, ...Array<string>(4).fill("long".repeat(50)));
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 700; index += 1) writeFileSync(join(folder, `${index}.pem`), "");
    const sandbox = await open(fake.program, fake.folder);
    const isDenied = (_: string, path: string) => path.endsWith(".pem");
    const run = sandbox.run({ argv: ["touch", "ran"], cwd: fake.folder, workspace: fake.folder, isDenied });

    await expect(run).rejects.toMatchObject({
      kind: "setup-failed",
      message: expect.stringContaining("Deny whole folders"),
    });
    expect(existsSync(join(fake.folder, "ran"))).toBe(false);
  });
});

describe("the sandbox of a run", () => {
  const missing: Probe = { works: false, problem: "Seatbelt is a part of macOS, and this is linux." };

  it("names the caches that it makes writable, and what does not hold", async () => {
    using fake = fakeSandboxExec();
    const [workspace, cache] = [join(fake.folder, "project"), join(fake.folder, "cache")];
    for (const folder of [workspace, cache]) mkdirSync(folder);
    const { backend, boundary, enforces } = await open(fake.program, workspace, { places: { caches: [cache] } });
    expect([backend, boundary?.roots, boundary?.missing.length]).toEqual(["macos-sandbox-exec", [cache], 3]);
    expect(enforces).toMatchObject({
      writes: true,
      egress: "all",
      otherProcesses: false,
      kernel: false,
      treeKill: "walk",
    });
  });

  it("is the floor where Seatbelt does not work, and says why", async () => {
    const { backend, boundary, enforces } = await open("/none", "/", {}, missing);
    expect([backend, enforces.writes]).toEqual(["portable-floor", false]);
    expect(boundary?.missing).toEqual([expect.stringContaining("Seatbelt is a part of macOS, and this is linux.")]);
  });

  it("is the floor, without a word, for a run that asks for full access", async () => {
    const source = macosSandboxOn({ platform: "darwin", program: "/none", probed: async () => works });
    const { backend, boundary } = await source({ ...needs("/"), mode: "full-access" });
    expect([backend, boundary]).toEqual(["portable-floor", undefined]);
  });

  it.each([
    ["all of it", { required: true }, missing],
    ["closed egress", { required: { egress: true } }, missing],
    ["this backend", { only: "macos-sandbox-exec" }, missing],
    ["another backend", { only: "linux-bubblewrap" }, works],
    ["an end for certain", { required: { treeKill: "kernel" } }, works],
  ] as const)("is refused when %s is required and cannot be had", async (_, options, probed) => {
    using fake = fakeSandboxExec();
    const opened = open(fake.program, fake.folder, options, probed);
    await expect(opened).rejects.toMatchObject({
      kind: "requirement-unmet",
      message: expect.stringContaining("as required"),
    });
  });

  it("is had when what is required holds", async () => {
    using fake = fakeSandboxExec();
    const required = { writes: true, egress: true, unixSockets: true } as const;
    expect((await open(fake.program, fake.folder, { required })).backend).toBe("macos-sandbox-exec");
  });
});

describe.skipIf(process.platform === "win32")("the probe [where there is a shell]", () => {
  it("says on another platform that Seatbelt is a part of macOS", async () => {
    expect(await probe({ platform: "linux", program: "/bin/sh" })).toEqual({
      works: false,
      problem: "Seatbelt is a part of macOS, and this is linux.",
    });
  });

  it("says what is not there", async () => {
    const { works, problem } = await probe({ platform: "darwin", program: "/none/sandbox-exec" });
    expect([works, problem]).toEqual([false, expect.stringContaining("/none/sandbox-exec")]);
  });

  it("does not believe one that holds nothing", async () => {
    using fake = fakeSandboxExec();
    const { works, problem } = await probe({ platform: "darwin", program: fake.program });
    expect([works, problem]).toEqual([
      false,
      expect.stringMatching(/wrote outside .* changed a protected file and read a hidden file/),
    ]);
  });

  it("passes on why nothing ran", async () => {
    using fake = fakeSandboxExec("echo 'sandbox_apply: Operation not permitted' >&2; exit 71");
    const { works, problem } = await probe({ platform: "darwin", program: fake.program });
    expect([works, problem]).toEqual([false, expect.stringContaining("sandbox_apply: Operation not permitted")]);
  });

  it("believes what it sees in the folders", async () => {
    using fake = fakeSandboxExec("echo in > file");
    expect(await probe({ platform: "darwin", program: fake.program })).toEqual(works);
  });
});
