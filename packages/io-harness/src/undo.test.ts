// Undoing real runs, in both stores: what is done to files, and that the run stands as it stood.
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, say, scriptedProvider } from "@harness/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  defaultStorePath,
  memoryStore,
  Policy,
  patch,
  type RunResult,
  resume,
  rewind,
  rewindRun,
  rewindStep,
  run,
  type Store,
  sqliteStore,
  verifyTrace,
  workspace,
} from "./index.js";

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "io-harness-undo-"));
  root = await mkdtemp(join(tmpdir(), "io-harness-undo-work-"));
  vi.stubEnv("HARNESS_HOME", folder);
  await writeFile(join(root, "a.txt"), "one\n");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([folder, root].map((path) => rm(path, { recursive: true, force: true })));
});

const policy = new Policy().layer("app").allowRead("*").allowWrite("*");
const writeA = (content: string) => call("write_file", { path: "a.txt", content });
const writeB = call("write_file", { path: "b.txt", content: "new\n" });
const text = (path: string) => readFile(join(root, path), "utf8");
const isThere = (path: string) =>
  access(join(root, path)).then(
    () => true,
    () => false,
  );

/** A run that changed `a.txt` in two steps and made `b.txt`. */
function changed(store?: Store): Promise<RunResult> {
  const provider = scriptedProvider([writeA("two\n"), writeA("three\n"), writeB, say("Done.")]);
  return run(workspace(root, { goal: "Change it." }), { provider, policy, ...(store ? { store } : {}) });
}

async function events(store: Store, id: string): Promise<readonly string[]> {
  const types: string[] = [];
  const follow = AbortSignal.timeout(20_000);
  // Ends by itself for a run that is over.
  for await (const { facts } of store.read(id as never, { follow })) types.push(JSON.parse(facts).type);
  follow.throwIfAborted();
  return types;
}

describe.each([
  ["memoryStore", () => memoryStore()],
  ["sqliteStore", () => sqliteStore({ path: join(folder, "mine.db") })],
])("a run in %s", (_name, open) => {
  it("goes back whole, stays ended, and its trace verifies", async () => {
    await using store = open();
    const { runId } = await changed(store);

    expect((await rewindRun(runId, { store })).files).toEqual([
      { path: "a.txt", type: "restored" },
      { path: "b.txt", type: "removed" },
    ]);

    expect([await text("a.txt"), await isThere("b.txt")]).toEqual(["one\n", false]);
    expect(await store.runs({ id: runId })).toMatchObject([{ state: "ended", lease: null }]);
    expect(await verifyTrace(store, runId)).toMatchObject({ type: "verified", isFinished: true });
    expect((await events(store, runId)).slice(-3)).toEqual(["run.finished", "files.rewound", "files.rewound"]);
    const again = await resume(runId, { provider: scriptedProvider([]), store });
    expect(again.outcome).toEqual({ type: "finished", steps: 4 });
  });

  it("goes back step by step, newest first", async () => {
    await using store = open();
    const { runId } = await changed(store);

    expect(await rewindStep(runId, 1, { store })).toEqual({ type: "stale", path: "a.txt" });
    for (const step of [3, 2]) expect(await rewindStep(runId, step, { store })).toMatchObject({ type: "applied" });
    expect([await text("a.txt"), await isThere("b.txt")]).toEqual(["two\n", false]);
    expect(await rewind(runId, "a.txt", { store })).toEqual({ path: "a.txt", type: "restored" });
  });

  it("stays paused, and goes on from what was put back", async () => {
    await using store = open();
    const asking = new Policy().allowRead("*").allowWrite("a.txt").askWrite("b.txt");
    const provider = scriptedProvider([writeA("two\n"), writeB, writeA("four\n"), say("Done.")]);
    const parked = await run(workspace(root, { goal: "Change it." }), { provider, policy: asking, store });
    expect(parked.outcome.type).toBe("awaiting-approval");

    expect((await rewindRun(parked.runId, { store })).files).toEqual([{ path: "a.txt", type: "restored" }]);

    expect(await store.runs({ id: parked.runId })).toMatchObject([{ state: "paused" }]);
    const { outcome } = await resume(parked.runId, { provider, store, decision: { type: "approve" } });
    expect(outcome.type).toBe("finished");
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["four\n", "new\n"]);
    const { files } = await rewindRun(parked.runId, { store, policy: Policy.permissive() });
    expect(files.map(({ type }) => type)).toEqual(["restored", "removed"]);
    expect(await text("a.txt")).toBe("one\n");
    expect(await verifyTrace(store, parked.runId)).toMatchObject({ type: "verified" });
  });

  it("is not undone while it is driven, nor driven while it is undone", async () => {
    await using store = open();
    const { runId } = await changed(store);
    const lease = await store.acquire(runId, "elsewhere:1:driver", 60_000);

    await expect(rewindRun(runId, { store })).rejects.toMatchObject({ code: "run-conflict" });
    await store.release(lease);

    expect(await text("a.txt")).toBe("three\n");
    const both = await Promise.allSettled([rewindRun(runId, { store }), rewindRun(runId, { store })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await text("a.txt")).toBe("one\n");
  });
});

describe("this machine's store", () => {
  it("is opened for an undoing and closed behind it", async () => {
    const { runId } = await changed();

    expect((await patch(runId)).pieces.map(({ path }) => path)).toEqual(["a.txt", "a.txt", "b.txt"]);
    expect(await rewindStep(runId, 3)).toEqual({ type: "applied", files: [{ path: "b.txt", type: "removed" }] });
    expect(await rewind(runId, "a.txt")).toEqual({ path: "a.txt", type: "restored" });
    expect((await rewindRun(runId)).files).toHaveLength(2);

    await using store = sqliteStore({ path: defaultStorePath() });
    expect(await store.runs({ id: runId })).toMatchObject([{ state: "ended", lease: null }]);
  });

  it("keeps a file of many characters and an image beside its events, and gives them back", async () => {
    const long = "x".repeat(79).concat("\n").repeat(5_000);
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
    await Promise.all([writeFile(join(root, "a.txt"), long), writeFile(join(root, "b.txt"), image)]);
    const { runId } = await changed();

    expect((await rewindRun(runId)).files.map(({ type }) => type)).toEqual(["restored", "restored"]);
    expect(await text("a.txt")).toBe(long);
    expect(await readFile(join(root, "b.txt"))).toEqual(image);
  });

  it("says that a file which held a secret was not kept", async () => {
    vi.stubEnv("UNDO_TOKEN", "hunter2hunter2");
    await writeFile(join(root, "a.txt"), "token=hunter2hunter2\n");
    const { runId } = await changed();

    expect(await rewind(runId, "a.txt", { force: true })).toEqual({ path: "a.txt", type: "not-kept", why: "secret" });
    expect(await text("a.txt")).toBe("three\n");
  });
});
