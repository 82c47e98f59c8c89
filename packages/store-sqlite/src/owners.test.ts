import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { bare, drive, freshPath, run, using } from "./store.test-support.js";

const mine = `${hostname()}:${process.pid}:a`;
const other = `${hostname()}:${process.pid}:b`;

describe.skipIf(process.platform !== "linux")(
  "an owner whose pid was given to another process [known on Linux only]",
  () => {
    it("is taken for dead, because that process started at another time", async () => {
      const path = freshPath();
      const store = using(sqliteStore({ path }));
      const lease = await drive(store, run, mine);
      bare(path).exec("update leases set process = 'another boot 1'");

      expect((await store.runs())[0]?.lease).toMatchObject({ owner: mine, isAlive: false });
      expect((await store.acquire(run, other, 1_000)).generation).toBe(lease.generation + 1);
    });

    it("is taken for alive when nothing was noted of its process", async () => {
      const path = freshPath();
      const store = using(sqliteStore({ path }));
      await drive(store, run, mine);
      bare(path).exec("update leases set process = null");

      expect((await store.runs())[0]?.lease).toMatchObject({ owner: mine, isAlive: true });
      await expect(store.acquire(run, other, 1_000)).rejects.toMatchObject({ code: "run-conflict", owner: mine });
    });
  },
);

it.skipIf(process.platform !== "linux")(
  "an owner that was killed and not collected by its parent is dead [known on Linux only]",
  async () => {
    // The shell becomes a program that collects no child of its own.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [printed] = await once(parent.stdout, "data");
    const pid = Number(String(printed).trim());
    await vi.waitUntil(() => readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "));
    const store = using(sqliteStore({ path: freshPath() }));
    const lease = await drive(store, run, `${hostname()}:${pid}:gone`);

    expect((await store.runs())[0]?.lease).toMatchObject({ isAlive: false });
    expect((await store.acquire(run, mine, 1_000)).generation).toBe(lease.generation + 1);
  },
);

it("an owner that may not be signalled lives", async () => {
  const store = using(sqliteStore({ path: freshPath() }));
  await drive(store, run, `${hostname()}:1:init`);
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  });
  onTestFinished(() => kill.mockRestore());

  await expect(store.acquire(run, other, 1_000)).rejects.toMatchObject({ code: "run-conflict" });
});

it("an owner on another host has its tree until the ttl is over, whoever has its pid here", async () => {
  const path = freshPath();
  const store = using(sqliteStore({ path }));
  const lease = await drive(store, run, "another-host.invalid:4194999:a");
  const lapsesAt = (await store.runs())[0]?.lease?.expiresAt ?? 0;

  await expect(store.acquire(run, mine, 1_000)).rejects.toMatchObject({
    code: "run-conflict",
    owner: lease.owner,
    expiresAt: lapsesAt,
    message: expect.stringContaining(new Date(lapsesAt).toISOString()),
  });
  bare(path).exec("update leases set renewed_at = renewed_at - ttl_ms - 1");

  expect((await store.acquire(run, mine, 1_000)).generation).toBe(lease.generation + 1);
});
