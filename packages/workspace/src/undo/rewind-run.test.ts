// All files of a run, and what stands in the log of it: before anything is touched, and after. Cut anywhere, the same undoing ends
// the same.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Policy } from "@harness/policy";
import { type StoredEvent, sha256, verifyTrace } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type RecordedRun, recordedRun } from "./recorded-run.test-support.js";
import { rewind, rewindRun } from "./rewind.js";

const read = ({ root }: RecordedRun, path: string) => readFile(join(root, path), "utf8");

/** A run that changed two files and made one. */
async function changed(options: Parameters<typeof recordedRun>[0] = {}): Promise<RecordedRun> {
  const made = await recordedRun({ files: { a: "a1\n", b: "b1\n" }, ...options });
  await made.write("a", "a2\n");
  await made.write("b", "b2\n");
  await made.write("made/c", "c2\n", 2);
  return made;
}

const restored = [
  { path: "a", type: "restored" },
  { path: "b", type: "restored" },
  { path: "made/c", type: "removed" },
];

async function expectFirstState(made: RecordedRun): Promise<void> {
  expect([await read(made, "a"), await read(made, "b")]).toEqual(["a1\n", "b1\n"]);
  expect(await readdir(join(made.root, "made"))).toEqual([]);
}

describe("rewindRun", () => {
  it("puts every file back and counts what it cannot undo", async () => {
    await using made = await changed();
    await made.record({ type: "sandbox.started", step: 2, owner: "2.2", argv: ["make"] } as never);
    await made.record({ type: "sandbox.started", step: 2, owner: "gate", argv: ["make"] } as never);
    await made.record({
      type: "tool.finished",
      step: 2,
      call: "2.3",
      status: "ok",
      changed: true,
      changes: [],
    } as never);

    expect(await rewindRun(made.store, made.run)).toEqual({ files: restored, commands: 1, otherEffects: 1 });
    await expectFirstState(made);
  });

  it("records what it is about to do before it touches a file, and what it did afterwards", async () => {
    await using made = await changed();
    await made.record({ type: "run.finished", step: 2, ending: { type: "success" }, steps: 2 });
    const seen: string[] = [];
    made.store.onAppend = (events) => {
      if (events.length > 0) seen.push(String(events[0]?.facts.includes('"phase":"intended"')));
    };
    let beforeTouching: Promise<string> | undefined;
    const { append } = made.store;
    made.store.append = async (lease, run, events) => {
      beforeTouching ??= read(made, "a");
      return append(lease, run, events);
    };

    await rewindRun(made.store, made.run);

    expect(await beforeTouching).toBe("a2\n");
    expect(seen).toEqual(["true", "false"]);
    const paths = [
      { path: "a", result: "restored", after: sha256("a1\n") },
      { path: "b", result: "restored", after: sha256("b1\n") },
      { path: "made/c", result: "removed", after: null },
    ];
    const facts = { type: "files.rewound", scope: "run", undid: null, forced: false, paths, step: 2 };
    expect(made.recorded("files.rewound")).toMatchObject([
      { ...facts, phase: "intended" },
      { ...facts, phase: "done" },
    ]);
    expect(await verifyTrace(made.store, made.run)).toMatchObject({ type: "verified", isFinished: true });
  });

  it("does nothing and records nothing the second time", async () => {
    await using made = await changed();
    await rewindRun(made.store, made.run);

    expect((await rewindRun(made.store, made.run)).files).toEqual(restored);
    expect(made.recorded("files.rewound")).toHaveLength(2);
  });

  it("leaves alone what it may not or cannot put back, and does the rest", async () => {
    const policy = new Policy().allowWrite("*").denyWrite("a").toJSON();
    await using made = await changed({ policy });
    await writeFile(join(made.root, "b"), "a person's\n");

    const { files } = await rewindRun(made.store, made.run);

    expect(files.map(({ type }) => type)).toEqual(["refused", "stale", "removed"]);
    expect([await read(made, "a"), await read(made, "b")]).toEqual(["a2\n", "a person's\n"]);
    const [, done] = made.recorded("files.rewound");
    expect(done?.paths).toEqual([
      { path: "a", result: "refused" },
      { path: "b", result: "stale" },
      { path: "made/c", result: "removed", after: null },
    ]);
  });

  it("says so when a file changed between its plan and its turn", async () => {
    await using made = await changed();
    const { append } = made.store;
    made.store.append = async (lease, run, events) => {
      await append(lease, run, events);
      // The look at the lease right before the first file is touched.
      if (events.length === 0 && (await read(made, "a")) === "a2\n")
        await writeFile(join(made.root, "a"), "a person's\n");
    };

    const { files } = await rewindRun(made.store, made.run);

    expect(files.map(({ type }) => type)).toEqual(["failed", "restored", "removed"]);
    expect(await read(made, "a")).toBe("a person's\n");
  });

  it("has nothing to do for a run that wrote nothing", async () => {
    await using made = await recordedRun();

    expect(await rewindRun(made.store, made.run)).toEqual({ files: [], commands: 0, otherEffects: 0 });
    expect(made.recorded("files.rewound")).toEqual([]);
  });

  it("fails each file whose workspace is gone", async () => {
    await using made = await changed();
    await rm(made.root, { recursive: true });

    expect((await rewindRun(made.store, made.run)).files.map(({ type }) => type)).toEqual([
      "failed",
      "failed",
      "failed",
    ]);
    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "failed" });
    await mkdir(made.root);
  });
});

describe("an undoing that is cut", () => {
  const appends = [0, 1, 2, 3, 4];

  it.each(appends)("before append %i ends the same when it is started again", async (cutAt) => {
    await using made = await changed();
    cut(made, cutAt);
    await expect(rewindRun(made.store, made.run)).rejects.toThrow("killed");
    made.store.onAppend = () => undefined;

    expect((await rewindRun(made.store, made.run)).files).toEqual(restored);

    await expectFirstState(made);
    const phases = made.recorded("files.rewound").map(({ phase }) => phase);
    expect(phases).toEqual(cutAt === 0 ? ["intended", "done"] : ["intended", "intended", "done"]);
    expect(await verifyTrace(made.store, made.run)).toMatchObject({ type: "verified" });
  });

  it("was cut before the last of its appends, too", async () => {
    await using made = await changed();
    let count = 0;
    made.store.onAppend = () => {
      count += 1;
    };
    await rewindRun(made.store, made.run);

    expect(count).toBe(appends.length);
  });

  it("stops between two files when the signal fires", async () => {
    await using made = await changed();
    const stop = new AbortController();
    made.store.onAppend = (events) => {
      if (events.length === 0) stop.abort(new Error("stop"));
    };

    await expect(rewindRun(made.store, made.run, { signal: stop.signal })).rejects.toThrow("stop");
    made.store.onAppend = () => undefined;

    expect(made.recorded("files.rewound").map(({ phase }) => phase)).toEqual(["intended"]);
    expect((await rewindRun(made.store, made.run)).files).toEqual(restored);
  });
});

describe("the lease of an undoing", () => {
  it("is refused while the run is driven, and nothing is touched", async () => {
    await using made = await changed();
    const lease = await made.store.acquire(made.run, "driver", 60_000);

    const conflict = { code: "run-conflict", owner: "driver" };
    await expect(rewindRun(made.store, made.run)).rejects.toMatchObject(conflict);
    await expect(rewind(made.store, made.run, "a")).rejects.toMatchObject(conflict);
    expect(await read(made, "a")).toBe("a2\n");

    await made.store.release(lease);
    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "restored" });
  });

  it("lets one of two undoings at once do it", async () => {
    await using made = await changed();

    const both = await Promise.allSettled([rewindRun(made.store, made.run), rewindRun(made.store, made.run)]);

    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "run-conflict" } });
    await expectFirstState(made);
  });

  it("is looked at before each file: who lost it touches no more", async () => {
    await using made = await changed();
    let held = 0;
    made.store.onAppend = (events: readonly StoredEvent[]) => {
      if (events.length > 0) return;
      held += 1;
      if (held === 2) made.store.release({ root: made.run, owner: "undoer", generation: 0, ttlMs: 0 });
    };
    const ids = { owner: () => "undoer" };

    await expect(rewindRun(made.store, made.run, { ids })).rejects.toMatchObject({ code: "lease-lost" });
    expect([await read(made, "a"), await read(made, "b")]).toEqual(["a1\n", "b2\n"]);
  });

  it("is given back", async () => {
    await using made = await changed();
    await rewindRun(made.store, made.run);

    await expect(made.store.acquire(made.run, "driver", 60_000)).resolves.toMatchObject({ owner: "driver" });
  });
});

/** Lets `count` appends happen and none after them. */
function cut({ store }: RecordedRun, count: number): void {
  let happened = 0;
  store.onAppend = () => {
    if (happened === count) throw new Error("killed");
    happened += 1;
  };
}
