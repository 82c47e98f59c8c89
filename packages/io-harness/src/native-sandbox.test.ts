import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nativeSandbox } from "./native-sandbox.js";

let workspace: string;

beforeEach(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "io-harness-native-")));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(workspace, { recursive: true, force: true });
});

const needs = () => ({ workspace, mode: "workspace-write", egress: "deny" }) as const;

describe("on a platform without a native sandbox", () => {
  beforeEach(() => {
    vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  });

  it("commands run on the floor, and what that leaves open is said", async () => {
    const sandbox = await nativeSandbox()(needs());

    expect(sandbox.backend).toBe("portable-floor");
    expect(sandbox.boundary?.missing).toEqual([expect.stringContaining("Nothing contains commands on win32")]);
  });

  it.each([true, { writes: true }] as const)("nothing runs where %j is required", async (required) => {
    await expect(async () => nativeSandbox({ required })(needs())).rejects.toMatchObject({
      code: "sandbox-failed",
      kind: "requirement-unmet",
    });
  });

  it("nothing runs where another backend is asked for by name", async () => {
    await expect(async () => nativeSandbox({ only: "linux-bubblewrap" })(needs())).rejects.toMatchObject({
      kind: "requirement-unmet",
    });
    expect((await nativeSandbox({ only: "portable-floor" })(needs())).backend).toBe("portable-floor");
  });
});

it("full access is the floor, by name", async () => {
  const sandbox = await nativeSandbox()({ ...needs(), mode: "full-access" });

  expect(sandbox.backend).toBe("portable-floor");
  expect(sandbox.enforces.writes).toBe(false);
});
