// A driver that stops in the middle, by force or for a while, and another process that goes on in its place. Whoever follows the
// run notices nothing.
import { verifyTrace } from "@harness/spec";
import { expect, it, vi } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import {
  collect,
  freshPath,
  run,
  scriptWithStore,
  startProcess,
  storeForProcesses,
  using,
} from "./store.test-support.js";

const built = storeForProcesses();

const drivesForever = `
  await store.create({ id: "run-1", root: "run-1", parent: null, createdAt: 1 });
  const lease = await store.acquire("run-1", mine, 600000);
  const next = logAt(genesis("run-1"));
  for (let step = 1; ; step++) {
    await store.append(lease, "run-1", next({ type: "step.started", step }, { type: "step.finished", step, changed: false, ends: null }));
    console.log(step);
  }
`;

const goesOnToTheEnd = `
  const lease = await store.acquire("run-1", mine, 600000);
  const [head] = await store.runs({ id: "run-1" });
  const next = logAt(head);
  for (let nth = 1; nth <= 50; nth++) await store.append(lease, "run-1", next({ type: "step.started", step: 1 }));
  await store.append(lease, "run-1", next({ type: "run.finished", step: 1, ending: { type: "success" }, steps: 1 }));
  await store.close();
`;

it("a follower reads on when the writer is killed in mid-write and another process takes over", async () => {
  const path = freshPath();
  const store = using(sqliteStore({ path }));
  const reading = collect(store.read(run, { follow: new AbortController().signal }));
  const first = startProcess(scriptWithStore(built.url, drivesForever), path);
  let acknowledged = 0;
  while (acknowledged < 30) acknowledged = Number(await first.line());
  await first.kill();

  const second = startProcess(scriptWithStore(built.url, goesOnToTheEnd), path);
  expect(await second.ended).toBe(0);
  const events = await reading;

  expect(events.length).toBeGreaterThan(2 * acknowledged + 50);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events).toEqual(await collect(store.read(run)));
  expect(await verifyTrace(store, run, events.at(-1)?.hash)).toMatchObject({ type: "verified", isFinished: true });
});

it.skipIf(process.platform === "win32")(
  "a driver that was suspended past its ttl writes nothing when it wakes up [Windows suspends nothing by signal]",
  async () => {
    const path = freshPath();
    const driver = startProcess(
      scriptWithStore(
        built.url,
        `
        const lease = await store.acquire("run-1", mine, 300);
        const next = logAt(genesis("run-1"));
        await store.append(lease, "run-1", next({ type: "step.started", step: 1 }));
        console.log(JSON.stringify(lease));
        await line();
        for (const late of [next({ type: "step.started", step: 99 }), []]) {
          await store.append(lease, "run-1", late).then(() => console.log("kept"), ({ code }) => console.log(code));
        }
        await store.release(lease);
        await store.close();
        process.exit();
      `,
      ),
      path,
    );
    const store = using(sqliteStore({ path }));
    await store.create({ id: run, root: run, parent: null, createdAt: 1 });
    const stale = JSON.parse(await driver.line());
    process.kill(driver.pid, "SIGSTOP");

    const lease = await vi.waitFor(() => store.acquire(run, "elsewhere:1:a", 600_000), { timeout: 20_000 });
    const [head] = await store.runs({ id: run });
    await store.append(lease, run, []);
    driver.send("write");
    process.kill(driver.pid, "SIGCONT");

    expect(await driver.line()).toBe("lease-lost");
    expect(await driver.line()).toBe("lease-lost");
    expect(await driver.ended).toBe(0);
    expect(lease.generation).toBe(stale.generation + 1);
    expect(await store.runs({ id: run })).toEqual([
      { ...head, lease: expect.objectContaining({ owner: lease.owner }) },
    ]);
    expect(await collect(store.read(run))).toHaveLength(1);
  },
);

it("a driver that waits long keeps its tree by its heartbeats, far beyond its ttl", async () => {
  const path = freshPath();
  const store = using(sqliteStore({ path }));
  await store.create({ id: run, root: run, parent: null, createdAt: 1 });
  const driver = startProcess(
    scriptWithStore(
      built.url,
      `
      const lease = await store.acquire("run-1", mine, 400);
      console.log("holds");
      const beat = () => store.append(lease, "run-1", []).then(() => setTimeout(beat, 20));
      beat();
    `,
    ),
    path,
  );
  await driver.line();
  const [first] = await store.runs({ id: run });
  const until = (first?.lease?.expiresAt ?? 0) + 3 * 400;

  await vi.waitFor(
    async () => {
      const refused = await store.acquire(run, "elsewhere:1:a", 400).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "run-conflict", owner: first?.lease?.owner });
      expect((refused as { expiresAt: number }).expiresAt).toBeGreaterThan(until);
    },
    { timeout: 20_000, interval: 20 },
  );

  expect(await collect(store.read(run))).toEqual([]);
  await driver.kill();
  expect(await store.acquire(run, "elsewhere:1:a", 400)).toMatchObject({ generation: 2 });
});
