import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunId, runId } from "@harness/spec";
import { call, countingIds, fail, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { deferred, reader } from "../tools/tools.test-support.js";
import { only, openStage, theRun } from "./stage.test-support.js";

const stage = openStage();
const as = (id: string) => ({ run: () => runId(id), owner: countingIds(`owner-${id}`).owner });
const tools = [reader()];

async function pausedRun(store = memoryStore(), id = "first") {
  await stage.drive([fail("auth")], { store, ids: as(id) });
  return store;
}

describe("a run in the workspace of another", () => {
  it("is told of it when that is driven or paused, and goes on", async () => {
    const store = memoryStore();
    const open = deferred();
    const begun = deferred();
    const waits = [
      reader("look", async () => {
        begun.resolve();
        await open.promise;
      }),
    ];
    const first = stage.begin([call("look"), say("Done.")], { store, tools: waits, ids: as("first") });
    await begun.promise;

    const second = await stage.drive([fail("auth")], { store, ids: as("second") });
    open.resolve();
    await first.handle.result;
    const third = await stage.drive([say("Done.")], { store, ids: as("third") });

    expect(only(second.events, "workspace.shared")).toMatchObject([{ with: "first", step: 0 }]);
    expect(only(third.events, "workspace.shared")).toMatchObject([{ with: "second" }]);
    expect(third.outcome.type).toBe("finished");
  });

  it("is told nothing of one that has ended, that works elsewhere, or of itself", async () => {
    const store = memoryStore();
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), "harness-elsewhere-")));
    await stage.drive([say("Done.")], { store, ids: as("ended") });
    await stage.drive([fail("auth")], { store, ids: as("elsewhere"), contract: { workspace: elsewhere } });

    const { events } = await stage.drive([say("Done.")], { store });
    await rm(elsewhere, { recursive: true });

    expect(only(events, "workspace.shared")).toEqual([]);
  });

  it("is told nothing of one that was only created, and whose driver is gone", async () => {
    const store = memoryStore();
    await store.create({
      id: runId("stillborn"),
      root: runId("stillborn"),
      parent: null,
      createdAt: 0,
      workspace: stage.root,
    });

    const { events } = await stage.drive([say("Done.")], { store });

    expect(only(events, "workspace.shared")).toEqual([]);
  });

  it("is told once, however often it is resumed, and again of another", async () => {
    const store = await pausedRun();
    await stage.drive([fail("auth")], { store });
    await stage.goOn(store, [fail("auth")]);
    const same = await stage.goOn(store, [fail("auth")]);
    expect(only(same.events, "workspace.shared").map((event) => event.with)).toEqual(["first"]);

    const alone = memoryStore();
    await stage.drive([fail("auth")], { store: alone });
    await pausedRun(alone, "later");
    const { events } = await stage.goOn(alone, [fail("auth")]);
    expect(only(events, "workspace.shared").map((event) => event.with)).toEqual(["later"]);
  });

  it("is told nothing by a store that does not know where runs work", async () => {
    const inner = await pausedRun();
    const forgetful: typeof inner = {
      ...inner,
      runs: async ({ workspace: _, ...query } = {}) =>
        (await inner.runs(query)).map(({ workspace: _place, ...head }) => head),
    };

    const { events } = await stage.drive([say("Done.")], { store: forgetful });

    expect(only(events, "workspace.shared")).toEqual([]);
  });

  it("asks the store once, for a bounded number of runs, when a thousand begin together", async () => {
    const inner = memoryStore();
    const asked: unknown[] = [];
    const store: typeof inner = {
      ...inner,
      async runs(query = {}) {
        asked.push(query.limit);
        return inner.runs(query);
      },
    };
    const ids = countingIds("crowd");

    const runs = await Promise.all(
      Array.from({ length: 1_000 }, () => stage.begin([say("Done.")], { store, ids, tools }).handle.result),
    );

    expect(new Set(runs.map(({ outcome }) => outcome.type))).toEqual(new Set(["finished"]));
    expect(asked).toHaveLength(1_000);
    expect(new Set(asked)).toEqual(new Set([10]));
  });
});

describe("the store in memory", () => {
  it("lists the runs of one workspace, newest first, and only those", async () => {
    const store = memoryStore();
    const create = (id: string, createdAt: number, workspace?: string) =>
      store.create({ id: runId(id), root: runId(id), parent: null, createdAt, ...(workspace ? { workspace } : {}) });
    await create("a", 3, "/w");
    await create("b", 1, "/w");
    await create("c", 2, "/v");
    await create("d", 3, "/w");
    await create("e", 9);
    const ids = async (query: Parameters<typeof store.runs>[0]) => (await store.runs(query)).map(({ id }) => id);

    expect(await ids({ workspace: "/w" })).toEqual(["d", "a", "b"]);
    expect(await ids({ workspace: "/w", limit: 1 })).toEqual(["d"]);
    expect(await ids({ workspace: "/w", id: "c" as RunId })).toEqual([]);
    expect(await ids({ workspace: "/x" })).toEqual([]);
    expect(await ids({})).toEqual(["e", "d", "a", "c", "b"]);
    await expect(create("a", 3, "/elsewhere")).rejects.toMatchObject({ kind: "constraint" });
  });

  it("knows a run that went back on its files by how it stood before", async () => {
    const { store, events } = await stage.drive([say("Done.")]);
    const lease = await store.acquire(theRun, "undoer", 1_000);
    const facts = `{"type":"files.rewound","seq":${events.length + 1},"step":1,"at":1,"paths":[]}`;
    const [row] = [{ seq: events.length + 1, facts, content: null, contentHash: null, hash: "h" as never }];
    await store.append(lease, theRun, [row]);
    await store.release(lease);

    expect(await store.runs({ state: "ended" })).toMatchObject([{ id: theRun, seq: events.length + 1 }]);
    const seen: number[] = [];
    for await (const { seq } of store.read(theRun, { follow: new AbortController().signal })) seen.push(seq);
    expect(seen).toHaveLength(events.length + 1);
  });
});
