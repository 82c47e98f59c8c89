// What only real processes can show: several that open at once, one that holds the lock, one that is killed.
import { copyFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { verifyTrace } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import {
  bare,
  collect,
  drive,
  driverUrl,
  freshPath,
  run,
  scriptWithStore,
  startProcess,
  steps,
  storeForProcesses,
  using,
} from "./store.test-support.js";

const built = storeForProcesses();

const holdLock = `
  import Database from ${JSON.stringify(driverUrl)};
  const database = new Database(process.argv[1]);
  database.exec("begin immediate");
  console.log("held");
  process.stdin.once("data", () => { database.exec("commit"); process.exit(); });
`;

const withStore = (body: string) => scriptWithStore(built.url, body);

describe("sqliteStore among processes", () => {
  it("opens a fresh file from six processes at once", async () => {
    const path = freshPath();
    const script = withStore(`
      const id = "run-" + process.pid;
      console.log("ready");
      await line();
      await store.create({ id, root: id, parent: null, createdAt: 1 });
      await store.close();
      process.exit();
    `);
    const children = Array.from({ length: 6 }, () => startProcess(script, path));
    await Promise.all(children.map((child) => child.line()));

    for (const child of children) child.send("go");

    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(Array(6).fill(0));
    const ids = (await using(sqliteStore({ path })).runs()).map(({ id }) => id);
    expect(ids.sort()).toEqual(children.map(({ pid }) => `run-${pid}`).sort());
  });

  it("lets one of two processes drive a run, and tells the other who does", async () => {
    const path = freshPath();
    const script = withStore(`
      console.log("ready");
      await line();
      await store.acquire("run-1", mine, 60000).then(() => console.log("drives"), (error) => console.log(error.code, error.owner));
      await line();
      process.exit();
    `);
    const store = using(sqliteStore({ path }));
    await store.create({ id: run, root: run, parent: null, createdAt: 1 });
    const children = [startProcess(script, path), startProcess(script, path)];
    for (const child of children) await child.line();

    for (const child of children) child.send("go");

    const said = await Promise.all(children.map((child) => child.line()));
    const winner = children[said.indexOf("drives")];
    expect(said.sort()).toEqual(["drives", `run-conflict ${hostname()}:${winner?.pid}:x`]);
  });

  it("takes a run over at once from a process that was killed, and fences it", async () => {
    const path = freshPath();
    const child = startProcess(
      withStore(`
        const lease = await store.acquire("run-1", mine, 600000);
        await store.append(lease, "run-1", ${JSON.stringify(steps(3))});
        console.log(JSON.stringify(lease));
        await line();
      `),
      path,
    );
    const store = using(sqliteStore({ path }));
    await store.create({ id: run, root: run, parent: null, createdAt: 1 });
    const stale = JSON.parse(await child.line());
    await expect(store.acquire(run, "elsewhere:1:a", 60_000)).rejects.toMatchObject({ code: "run-conflict" });

    await child.kill();
    const lease = await store.acquire(run, "elsewhere:1:a", 60_000);
    await store.append(lease, run, steps(4).slice(3));

    expect(lease.generation).toBe(stale.generation + 1);
    await expect(store.append(stale, run, steps(5).slice(4))).rejects.toMatchObject({ code: "lease-lost" });
    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", head: { seq: 4 } });
  });

  it("waits for a lock that another process holds, while the event loop goes on", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path }));
    const lease = await drive(store);
    const child = startProcess(holdLock, path);
    await child.line();

    const appended = store.append(lease, run, steps(1));
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    expect(await collect(store.read(run))).toEqual([]);
    child.send("release");

    await appended;
    expect(await collect(store.read(run))).toEqual(steps(1));
  });

  it("gives up on a lock after the limit, names who drives, and goes on when the lock is free", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path, busyTimeoutMs: 60 }));
    const lease = await drive(store);
    const child = startProcess(holdLock, path);
    await child.line();

    await expect(store.append(lease, run, steps(1))).rejects.toMatchObject({
      code: "store-failed",
      kind: "busy",
      isRetryable: true,
      runId: run,
      message: expect.stringMatching(/append to run run-1.*database is locked.*60 ms.*elsewhere:1:a/s),
    });
    await child.kill();

    await store.append(lease, run, steps(1));
    expect(await collect(store.read(run))).toEqual(steps(1));
  });

  it("reads while another process holds the lock", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path }));
    await store.append(await drive(store), run, steps(3));
    const child = startProcess(holdLock, path);
    await child.line();

    const second = using(sqliteStore({ path, busyTimeoutMs: 0 }));

    expect(await collect(second.read(run))).toEqual(steps(3));
    expect(await second.runs()).toHaveLength(1);
    await child.kill();
  });

  it("ends the process by itself after close, even with followers", async () => {
    const script = withStore(`
      await store.create({ id: "run-1", root: "run-1", parent: null, createdAt: 1 });
      const follow = new AbortController().signal;
      const reader = (async () => { for await (const _ of store.read("run-1", { follow })); })().catch((error) => console.log(error.kind));
      await store.runs();
      await store.close();
      await reader;
    `);
    const child = startProcess(script, freshPath());

    expect(await child.line()).toBe("closed");
    expect(await child.ended).toBe(0);
  });

  it("loads no native code until it is used", async () => {
    const script = withStore(`
      const loaded = () => process.report.getReport().sharedObjects.some((name) => name.endsWith("better_sqlite3.node"));
      const before = loaded();
      await store.runs();
      console.log(before, loaded());
      await store.close();
    `);

    expect(await startProcess(script, freshPath()).line()).toBe("false true");
  });

  it("says what to install where the driver is not there", async () => {
    const alone = join(dirname(freshPath()), "store.mjs");
    copyFileSync(fileURLToPath(built.url), alone);
    const script = `
      import { sqliteStore } from ${JSON.stringify(pathToFileURL(alone).href)};
      await sqliteStore({ path: process.argv[1] }).runs().catch((error) => console.log(error.code, error.message));
    `;

    expect(await startProcess(script, freshPath()).line()).toMatch(
      /^store-failed .*better-sqlite3.*Install a C\+\+ compiler/,
    );
  });

  it("keeps what was acknowledged when the process is killed while it writes", async () => {
    const path = freshPath();
    const child = startProcess(
      withStore(`
        const events = ${JSON.stringify(steps(400))};
        await store.create({ id: "run-1", root: "run-1", parent: null, createdAt: 1 });
        const lease = await store.acquire("run-1", "elsewhere:1:a", 600000);
        for (const event of events) { await store.append(lease, "run-1", [event]); console.log(event.seq); }
      `),
      path,
    );
    let acknowledged = 0;
    while (acknowledged < 40) acknowledged = Number(await child.line());
    await child.kill();

    const store = using(sqliteStore({ path }));
    const kept = await collect(store.read(run));

    expect(kept.length).toBeGreaterThanOrEqual(acknowledged);
    expect(kept).toEqual(steps(kept.length));
    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified" });
    expect(bare(path).pragma("integrity_check", { simple: true })).toBe("ok");
  });
});
