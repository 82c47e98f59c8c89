// Stores that releases wrote, as they lie on disks: each is opened, brought up, verified, listed and gone on with. See
// __fixtures__/README.md for what is in them and how they are made.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type RunEvent, type RunId, redactor, runId, type Store, seal, verifyTrace } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { formatVersion, layouts, views } from "./schema.js";
import { sqliteStore } from "./sqlite-store.js";
import {
  bare,
  collect,
  freshPath,
  run,
  scriptWithStore,
  startProcess,
  storeForProcesses,
  using,
} from "./store.test-support.js";

const folder = fileURLToPath(new URL("./__fixtures__/", import.meta.url));
const released = readdirSync(folder).filter((name) => name.endsWith(".db"));
const built = storeForProcesses();

/** A copy of a released store, which may be written to. */
function copyOf(name: string): string {
  const path = freshPath();
  copyFileSync(`${folder}${name}`, path);
  return path;
}

const schemaOf = (path: string) => bare(path).prepare("select type, name, sql from sqlite_schema order by name").all();
const formatOf = (path: string) => bare(path).pragma("user_version", { simple: true });

/** Takes a run over and ends it, as a driver would. */
async function finish(store: Store, id: RunId): Promise<void> {
  const lease = await store.acquire(id, "elsewhere:2:new", 60_000);
  const [head] = await store.runs({ id });
  if (!head) throw new Error(`There is no run ${id}.`);
  const last: RunEvent = {
    type: "run.finished",
    seq: head.seq + 1,
    step: 2,
    at: 1,
    ending: { type: "finished" },
    steps: 2,
  };
  await store.append(lease, id, [seal(head, last, redactor()).stored]);
}

describe.each(released)("%s", (name) => {
  it("opens, and every run in it is listed and verifies", async () => {
    const store = using(sqliteStore({ path: copyOf(name) }));

    const heads = await store.runs();

    expect(heads.map(({ id, state }) => `${id}: ${state}`).sort()).toEqual([
      "cut: running",
      "ended: ended",
      "paused: paused",
    ]);
    for (const { id, seq, hash } of heads) {
      expect(await verifyTrace(store, id, hash)).toMatchObject({ type: "verified", head: { seq, hash }, emptied: 0 });
    }
    expect(await collect(store.answers(runId("ended")))).toHaveLength(1);
    expect(await store.check()).toEqual([]);
  });

  it.each(["paused", "cut"] as const)("is gone on with: a new driver ends %s", async (id) => {
    const store = using(sqliteStore({ path: copyOf(name) }));

    await finish(store, runId(id));

    expect(await store.runs({ id: runId(id) })).toMatchObject([
      { state: "ended", lease: { owner: "elsewhere:2:new" } },
    ]);
    expect(await verifyTrace(store, runId(id))).toMatchObject({ type: "verified", isFinished: true });
  });

  it("is brought up when it is opened, and is then like a store that was made today", async () => {
    const [path, fresh] = [copyOf(name), freshPath()];
    for (const store of [sqliteStore({ path }), sqliteStore({ path: fresh })]) {
      await store.create({ id: run, root: run, parent: null, createdAt: 1, workspace: "/srv/project" });
      expect(await store.runs({ workspace: "/srv/project" })).toHaveLength(1);
      await store.close();
    }

    expect(formatOf(path)).toBe(formatVersion);
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
  });

  it("is looked at as it is where it may only be read", async () => {
    const path = copyOf(name);
    const before = readFileSync(path);
    const store = sqliteStore({ path, readonly: true });

    expect(await store.runs()).toHaveLength(3);
    expect(await store.size()).toBeGreaterThanOrEqual(before.length);
    expect(await store.check()).toEqual([]);
    for (const refused of [store.size(runId("ended")), store.delete(runId("ended"))]) {
      await expect(refused).rejects.toMatchObject({ code: "store-failed", kind: "readonly" });
    }
    await store.close();

    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is kept up like any other", async () => {
    const path = copyOf(name);
    const store = using(sqliteStore({ path }));

    expect(await store.archive(runId("ended"))).toEqual({ cleared: expect.any(Number) });
    expect(await store.delete(runId("cut"))).toMatchObject({ runs: 1 });
    expect(await store.sweep(Date.now())).toEqual({ runs: 1, refused: ["paused"] });
    expect(bare(path).prepare("select count(*) from blobs").pluck().get()).toBe(0);
    expect(await store.check()).toEqual([]);
  });

  it("is brought up once when six processes open it at the same moment", async () => {
    const path = copyOf(name);
    const script = scriptWithStore(
      built.url,
      `
      const id = "run-" + process.pid;
      console.log("ready");
      await line();
      await store.create({ id, root: id, parent: null, createdAt: 1, workspace: "/srv/project" });
      await store.close();
      process.exit();
    `,
    );
    const children = Array.from({ length: 6 }, () => startProcess(script, path));
    await Promise.all(children.map((child) => child.line()));

    for (const child of children) child.send("go");

    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(Array(6).fill(0));
    const store = using(sqliteStore({ path }));
    expect(await store.runs({ workspace: "/srv/project" })).toHaveLength(6);
    expect(await store.check()).toEqual([]);
  });
});

it("a store that is brought up has the layout of a new one, from whichever format it comes", () => {
  for (let format = 1; format < layouts.length; format++) {
    const [former, fresh] = [bare(freshPath()), bare(freshPath())];
    former.exec(layouts.slice(0, format).join(""));
    former.exec(layouts.slice(format).join("") + views);
    fresh.exec(layouts.join("") + views);

    const select = "select name, sql from sqlite_schema order by name";
    expect(former.prepare(select).all()).toEqual(fresh.prepare(select).all());
  }
});
