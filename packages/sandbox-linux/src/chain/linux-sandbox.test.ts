import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxNeeds } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";
import { linuxRungs } from "./linux-rungs.js";
import { linuxSandbox } from "./linux-sandbox.js";

const needs = (workspace: string, rest: Partial<SandboxNeeds> = {}): SandboxNeeds => ({
  ...{ workspace, mode: "workspace-write", egress: "deny" },
  ...rest,
});

describe("the sandbox of a run", () => {
  it("is the plain floor for full-access, and says so where the network was to be closed", async () => {
    using folder = testFolder();
    const open = await linuxSandbox({ required: true })(needs(folder.path, { mode: "full-access", egress: "allow" }));
    const closed = await linuxSandbox()(needs(folder.path, { mode: "full-access" }));

    expect(open).toMatchObject({ backend: "portable-floor", boundary: { roots: [], missing: [] } });
    expect(closed.boundary?.missing).toEqual([
      "Commands may use the network although it is denied: full-access holds them to nothing.",
    ]);
  });

  it("can be the floor by name, which then says everything that is missing", async () => {
    using folder = testFolder();
    const sandbox = await linuxSandbox({ only: "portable-floor" })(needs(folder.path));

    expect(sandbox.backend).toBe("portable-floor");
    expect(sandbox.boundary?.missing).toContain("Commands may write wherever this user may.");
    expect((await sandbox.run({ argv: ["echo", "ran"], cwd: folder.path })).stdout.text).toBe("ran\n");
  });

  it("is refused when what is required cannot be had", async () => {
    using folder = testFolder();
    const refusal = { code: "sandbox-failed", kind: "requirement-unmet", message: expect.stringMatching(/\.$/) };

    await expect(
      (async () => linuxSandbox({ only: "portable-floor", required: true })(needs(folder.path)))(),
    ).rejects.toMatchObject(refusal);
    await expect((async () => linuxSandbox({ only: "no-such-backend" })(needs(folder.path)))()).rejects.toMatchObject(
      refusal,
    );
  });

  it.skipIf(!hasBubblewrap)(
    `is bubblewrap where that works, whatever the environment says${needsBubblewrap}`,
    async () => {
      using folder = testFolder();
      const sandbox = await linuxSandbox({ required: true })(needs(folder.path));
      const [report] = await Promise.all(linuxRungs().map((rung) => rung.probe()));

      expect(report).toMatchObject({ backend: "linux-bubblewrap", works: true, problem: null });
      expect(sandbox).toMatchObject({ backend: "linux-bubblewrap", enforces: report?.enforces ?? {} });
      expect(sandbox.boundary?.missing).toEqual(report?.gaps);
      await sandbox.close?.();
      await sandbox.close?.();
    },
  );

  it.skipIf(!hasBubblewrap)(`puts right what was made under a protected name${needsBubblewrap}`, async () => {
    using folder = testFolder();
    mkdirSync(join(folder.path, ".git"));
    writeFileSync(join(folder.path, ".git", "HEAD"), "ref: refs/heads/main\n");
    const sandbox = await linuxSandbox()(needs(folder.path));
    const { undone } = await sandbox.run({ argv: ["sh", "-c", "echo evil > .gitmodules"], cwd: folder.path });
    await sandbox.close?.();

    expect(undone).toEqual([join(folder.path, ".gitmodules")]);
  });
});
