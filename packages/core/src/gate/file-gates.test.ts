import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Policy } from "@harness/policy";
import type { Gate } from "@harness/spec";
import { call, say } from "@harness/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command } from "../contract/contract-input.js";
import { only, openStage, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";
import { checkingSandbox } from "./gates.test-support.js";

const stage = openStage();

let outside = "";
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "harness-outside-"));
  await writeFile(join(outside, "answer"), "42\n");
});
afterAll(() => rm(outside, { recursive: true }));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(stage.root, "case-"));
});

async function verdictOf(verify: Gate): Promise<string | undefined> {
  const { events } = await stage.drive([call("look")], {
    tools: [reader()],
    contract: { workspace: folder, verify, limits: { maxSteps: 1 } },
  });
  return only(events, "gate.finished")[0]?.result;
}

describe("a gate on a file", () => {
  const contains = (path: string): Gate => ({ type: "file-contains", path, text: "42" });
  const equals = (path: string, text = "42\n"): Gate => ({ type: "file-equals", path, text });

  it("passes when the file contains the text, or is exactly it", async () => {
    await writeFile(join(folder, "answer"), "42\n");

    expect(await verdictOf(contains("answer"))).toBe("passed");
    expect(await verdictOf(equals("answer"))).toBe("passed");
    expect(await verdictOf(equals("answer", "42"))).toBe("failed");
  });

  it("fails for a file that is missing, or is a folder", async () => {
    await mkdir(join(folder, "answer"));

    expect(await verdictOf(contains("missing"))).toBe("failed");
    expect(await verdictOf(contains("answer"))).toBe("failed");
  });

  it("fails for a file that a link leads to out of the workspace", async () => {
    await symlink(join(outside, "answer"), join(folder, "answer"));
    await symlink(outside, join(folder, "there"));

    expect(await verdictOf(contains("answer"))).toBe("failed");
    expect(await verdictOf(equals("there/answer"))).toBe("failed");
  });

  it("passes for a file that a link leads to inside", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real", "..answer"), "42\n");
    await symlink(join(folder, "real", "..answer"), join(folder, "answer"));

    expect(await verdictOf(contains("answer"))).toBe("passed");
  });

  it("fails for a file that is missing even when nothing is asked of it", async () => {
    expect(await verdictOf(equals("missing", ""))).toBe("failed");
    await writeFile(join(folder, "empty"), "");
    expect(await verdictOf(equals("empty", ""))).toBe("passed");
  });

  it("passes for a file at the top whose name begins with dots", async () => {
    await writeFile(join(folder, "..answer"), "42\n");

    expect(await verdictOf(contains("..answer"))).toBe("passed");
  });

  it("reads outside the agent's policy: it is the caller's question", async () => {
    await writeFile(join(folder, "answer"), "42\n");
    const { outcome } = await stage.drive([say("Done.")], {
      policy: new Policy(),
      contract: { workspace: folder, verify: contains("answer") },
    });

    expect(outcome).toEqual({ type: "success", steps: 1 });
  });

  it("says in the first message what will be looked at", async () => {
    const { provider } = await stage.drive([say("Done.")], {
      contract: { workspace: folder, verify: contains("answer"), limits: { maxSteps: 1 } },
    });

    expect(provider.requests[0]?.request.messages[0]).toMatchObject({ text: expect.stringMatching(/answer.*42/) });
  });
});

describe("what a gate stands on", () => {
  const verify = command("npm", "test");
  const tools = [writer()];
  const warnings = async (policy: Policy) => {
    const { events } = await stage.drive([call("change")], {
      tools,
      policy,
      sandbox: checkingSandbox(0),
      contract: { workspace: folder, verify },
    });
    return only(events, "gate.unprotected").map(({ paths }) => [...paths].sort());
  };

  beforeEach(async () => {
    await writeFile(join(folder, "package.json"), "{}");
    await mkdir(join(folder, "test"));
  });

  it("is warned of when the policy lets the agent write it, before the first step", async () => {
    expect(await warnings(Policy.permissive())).toEqual([["package.json", "test"]]);
    expect(await warnings(Policy.permissive().denyWrite("test/*"))).toEqual([["package.json"]]);
  });

  it("is not warned of when all of it is protected", async () => {
    expect(await warnings(Policy.permissive().denyWrite("test/*", "package.json"))).toEqual([]);
  });

  it("is warned of when someone would only be asked", async () => {
    expect(await warnings(Policy.permissive().askWrite("*"))).toEqual([["package.json", "test"]]);
  });

  it("is the script itself, where that is in the workspace", async () => {
    await writeFile(join(folder, "check.sh"), "exit 0");
    const { events } = await stage.drive([call("change")], {
      tools,
      sandbox: checkingSandbox(0),
      contract: { workspace: folder, verify: command("sh", "check.sh") },
    });

    expect(only(events, "gate.unprotected")).toMatchObject([{ step: 0, paths: expect.arrayContaining(["check.sh"]) }]);
  });

  it("is warned of once, and again by a resume only when it has changed", async () => {
    const contract = { workspace: folder, verify, limits: { maxSteps: 1 } };
    const sandbox = checkingSandbox(1);
    const { store } = await stage.drive([call("change")], { tools, sandbox, contract });
    await stage.goOn(store, [], { tools, sandbox });
    const { events } = await stage.goOn(store, [], { tools, sandbox, policy: Policy.permissive().denyWrite("test/*") });

    expect(only(events, "gate.unprotected").map(({ paths }) => [...paths].sort())).toEqual([
      ["package.json", "test"],
      ["package.json"],
    ]);
    expect(typesOf(events).indexOf("gate.unprotected")).toBe(1);
  });
});
