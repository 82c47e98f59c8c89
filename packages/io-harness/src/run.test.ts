import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@harness/spec";
import { call, fail, say, scriptedProvider } from "@harness/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  approve,
  type ContractInput,
  command,
  defaultStorePath,
  Policy,
  resume,
  run,
  sqliteStore,
  start,
  verifyTrace,
  workspace,
} from "./index.js";

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "io-harness-"));
  root = await mkdtemp(join(tmpdir(), "io-harness-work-"));
  vi.stubEnv("HARNESS_HOME", folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([folder, root].map((path) => rm(path, { recursive: true, force: true })));
});

const policy = new Policy().layer("app").allowRead("*").allowWrite("*").allowExec("node*");
const write = call("write_file", { path: "hello.txt", content: "hello\n" });
const contract = () =>
  workspace(root, { goal: "Write hello.txt.", verify: { type: "file-contains", path: "hello.txt", text: "hello" } });

describe("this machine's defaults", () => {
  it("write with the workspace tools, and keep the trace where defaultStorePath says", async () => {
    const result = await run(contract(), { provider: scriptedProvider([write]), policy });

    expect(result.outcome).toEqual({ type: "success", steps: 1 });
    expect(result.changes).toMatchObject([{ path: "hello.txt", kind: "created" }]);
    expect(await readFile(join(root, "hello.txt"), "utf8")).toBe("hello\n");
    await using store = sqliteStore({ path: defaultStorePath() });
    expect(await store.runs()).toMatchObject([{ id: result.runId, state: "ended", lease: null }]);
    expect(await verifyTrace(store, result.runId)).toMatchObject({ type: "verified", isFinished: true });
  });

  it("run a gate's command", async () => {
    const verify = command("node", "-e", "require('fs').accessSync('hello.txt')");
    const script = [call("list_dir"), write];

    const { outcome } = await run(workspace(root, { goal: "g", verify }), {
      provider: scriptedProvider(script),
      policy,
    });

    expect(outcome).toEqual({ type: "success", steps: 2 });
  });

  it("contain commands, or say what is missing", async () => {
    const outside = join(folder, "outside");
    const script = [call("exec", { argv: ["node", "-e", "fs.writeFileSync(process.argv[1], '')", outside] }), write];
    const handle = start(contract(), { provider: scriptedProvider(script), policy });
    const events: RunEvent[] = [];
    for await (const event of handle) events.push(event);

    const [started] = events.filter((event) => event.type === "run.started");
    expect(started?.containment).toMatchObject({ mode: "workspace-write", egress: "deny" });
    const isHeld = started?.enforces?.writes === true;
    expect(isHeld || (started?.containment?.missing.length ?? 0) > 0).toBe(true);
    expect(existsSync(outside)).toBe(!isHeld);
  });

  it("ask before a write when no policy is given, and go on with the decision", async () => {
    const provider = scriptedProvider([write]);
    const parked = await run(contract(), { provider });

    expect(parked.outcome).toMatchObject({ type: "awaiting-approval" });
    const { outcome } = await resume(parked.runId, { provider, decision: approve() });
    expect(outcome).toEqual({ type: "success", steps: 1 });
  });
});

describe("the toolchain of a workspace", () => {
  const toolchainOf = async (rest: Partial<ContractInput> = {}) => {
    await writeFile(join(root, "package.json"), "{}");
    const handle = start({ ...contract(), ...rest }, { provider: scriptedProvider([write]), policy });
    for await (const event of handle) if (event.type === "run.started") return event.content?.contract.toolchain;
    return undefined;
  };

  it("is recognised and completes the contract", async () => {
    expect(await toolchainOf()).toMatchObject({ ecosystem: "node (npm)", test: ["npm", "test"] });
  });

  it("is the contract's where the contract says", async () => {
    const toolchain = { test: ["make", "verify"], lint: null } satisfies ContractInput["toolchain"];

    expect(await toolchainOf({ toolchain })).toMatchObject({ ...toolchain, build: ["npm", "run", "build"] });
  });

  it("hides nothing of a contract that is none", async () => {
    await expect(run(null as never, { provider: scriptedProvider([]) })).rejects.toMatchObject({
      code: "config-invalid",
    });
  });
});

describe("a handle", () => {
  it("gives its events, and closes the store it opened when the last reader has left", async () => {
    const handle = start(contract(), { provider: scriptedProvider([write]), policy });
    const events: RunEvent[] = [];
    for await (const event of handle) events.push(event);

    expect(events.at(-1)?.type).toBe("run.finished");
    expect((await handle.result).outcome.type).toBe("success");
  });

  it("leaves a store that was given open", async () => {
    await using store = sqliteStore({ path: join(folder, "mine.db") });
    const handle = start(contract(), { provider: scriptedProvider([write]), policy, store });
    await handle.result;

    expect(await store.runs()).toHaveLength(1);
  });

  it("settles with the outcome when the provider fails and nobody reads", async () => {
    const handle = start(contract(), { provider: scriptedProvider([fail("auth"), say("")]), policy });

    expect((await handle.result).outcome).toMatchObject({ type: "failed", error: { kind: "auth" } });
  });
});
