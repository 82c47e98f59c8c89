// What a caller is told when the disk, the file or its folder fails, and that nothing is damaged by it: what was acknowledged is
// there, what was refused is not there in part, and the run goes on once there is room again.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type NewEvent, type Store, verifyTrace } from "@harness/spec";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import {
  bare,
  collect,
  drive,
  freshPath,
  run,
  scriptWithStore,
  sealed,
  startProcess,
  storeForProcesses,
  using,
} from "./store.test-support.js";

const built = storeForProcesses();
const said = (nth: number): NewEvent => ({
  type: "run.replanned",
  step: 1,
  nth,
  content: { text: `${nth} `.repeat(2_000) },
});
const events = sealed(Array.from({ length: 500 }, (_, nth) => said(nth)));

/** Appends event after event until one is refused; resolves to how many were kept and what the refusal was. */
async function fill(store: Store): Promise<{ readonly kept: number; readonly error: unknown }> {
  const lease = await store.acquire(run, "elsewhere:1:a", 600_000);
  for (const [index, event] of events.entries()) {
    try {
      await store.append(lease, run, [event]);
    } catch (error) {
      return { kept: index, error };
    }
  }
  throw new Error("It was never full.");
}

async function expectWhole(store: Store, kept: number): Promise<void> {
  expect(await collect(store.read(run))).toEqual(events.slice(0, kept));
  expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", head: { seq: kept } });
}

describe("a disk that is full", () => {
  const full = {
    code: "store-failed",
    kind: "full",
    isRetryable: false,
    runId: run,
    message: expect.stringMatching(/append to run run-1.*full.*Make room on the disk/s),
  };

  it("refuses by name, keeps what it had, and goes on where it stopped once there is room", async () => {
    const database = bare(freshPath());
    const store = using(sqliteStore({ database }));
    await drive(store);
    database.pragma("max_page_count = 100");

    const { kept, error } = await fill(store);

    expect(error).toMatchObject(full);
    expect(kept).toBeGreaterThan(10);
    await expectWhole(store, kept);
    await expect(store.blobs.put(new Uint8Array(10_000))).rejects.toMatchObject({ kind: "full" });
    database.pragma("max_page_count = 100000");
    const lease = await store.acquire(run, "elsewhere:1:a", 600_000);
    await store.append(lease, run, events.slice(kept));
    await expectWhole(store, events.length);
    expect(await store.check()).toEqual([]);
  });

  const folder = mounted();
  it.skipIf(folder === undefined)(
    "is a real one as well [needs a tmpfs, which only root may mount on Linux]",
    async () => {
      const store = using(sqliteStore({ path: join(folder ?? "", "runs.db") }));
      await drive(store);

      const { kept, error } = await fill(store);

      expect(error).toMatchObject({ ...full, message: expect.stringMatching(/full/) });
      await expectWhole(store, kept);
      await store.close();
      const again = using(sqliteStore({ path: join(folder ?? "", "runs.db"), readonly: true }));
      await expectWhole(again, kept);
    },
  );
});

/** A folder on a file system of half a megabyte, while the tests of this file run; `undefined` where none may be mounted. */
function mounted(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = join("/tmp", `harness-full-${process.pid}`);
  mkdirSync(folder);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]);
  afterAll(() => void spawnSync("sh", ["-c", 'umount "$0"; rmdir "$0"', folder]));
  return status === 0 ? folder : undefined;
}

describe.skipIf(process.platform === "win32")("a place that may only be read [no modes on Windows]", () => {
  /** What a process that is not root meets there: of a look, and of a write. */
  async function meets(path: string, options = "{}"): Promise<readonly string[]> {
    chmodSync(dirname(dirname(path)), 0o755);
    const script = scriptWithStore(
      built.url,
      `
      const told = (promise) => promise.then(() => "done", ({ kind, message }) => kind + ": " + message);
      console.log(await told(store.runs()));
      console.log(await told(store.create({ id: "run-9", root: "run-9", parent: null, createdAt: 1 })));
      await store.close();
    `,
      options,
    );
    const child = startProcess(script, path, process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
    return [await child.line(), await child.line()];
  }

  async function placed(): Promise<string> {
    const path = join(dirname(freshPath()), "place", "runs.db");
    const store = sqliteStore({ path });
    await drive(store);
    await store.close();
    return path;
  }

  it("is looked at and not written to when it is the file", async () => {
    const path = await placed();
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);
    const before = readFileSync(path);

    const [look, write] = await meets(path);

    expect(look).toBe("done");
    expect(write).toMatch(/^readonly: Could not create run run-9.*Make the file and its folder writable/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("refuses by name when it is the folder", async () => {
    const path = await placed();
    chmodSync(path, 0o666);
    chmodSync(dirname(path), 0o555);
    onTestFinished(() => chmodSync(dirname(path), 0o755));

    for (const told of await meets(path)) {
      expect(told).toMatch(/^readonly: Could not .*Make the file and its folder writable/);
    }
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it("refuses by name when there is no store in it yet", async () => {
    const path = await placed();
    chmodSync(dirname(path), 0o555);
    onTestFinished(() => chmodSync(dirname(path), 0o755));

    const [look] = await meets(join(dirname(path), "another.db"));

    expect(look).toMatch(/^readonly: Could not open the store .*another\.db/);
  });
});

describe("a log that was cut off", () => {
  it("leaves the last whole commit, wherever it is cut, and that verifies and is gone on with", async () => {
    const path = freshPath();
    const store = using(sqliteStore({ path }));
    const lease = await drive(store);
    for (const event of events.slice(0, 12)) await store.append(lease, run, [event]);
    const length = statSync(`${path}-wal`).size;
    const seqs = new Set<number>();

    for (let cut = 0; cut < length; cut += Math.ceil(length / 40)) {
      const copy = freshPath();
      for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      truncateSync(`${copy}-wal`, length - cut);
      const again = sqliteStore({ path: copy });
      const [head] = await again.runs({ id: run });
      if (!head) continue;
      seqs.add(head.seq);
      await expectWhole(again, head.seq);
      expect(await again.check()).toEqual([]);
      const held = await again.acquire(run, lease.owner, 600_000);
      await again.append(held, run, events.slice(head.seq, 14));
      await expectWhole(again, 14);
      await again.close();
    }

    expect(seqs.size).toBeGreaterThan(5);
  });
});

describe("a file that is replaced", () => {
  it("is not written to, and what is there now stays as it is", async () => {
    const [path, other] = [freshPath(), freshPath()];
    const store = using(sqliteStore({ path }));
    const lease = await drive(store);
    const second = sqliteStore({ path: other });
    await drive(second);
    await second.close();
    copyFileSync(other, `${path}.new`);
    const bytes = readFileSync(`${path}.new`);
    renameSync(`${path}.new`, path);

    // The place is looked at from time to time, so for a moment nothing is noticed.
    let refusal: unknown;
    while (refusal === undefined) {
      refusal = await store.runs().then(
        () => undefined,
        (error: unknown) => error,
      );
      await setImmediate();
    }

    const expected = { kind: "other", message: expect.stringMatching(/removed or replaced/) };
    expect(refusal).toMatchObject(expected);
    await expect(store.append(lease, run, events.slice(0, 1))).rejects.toMatchObject(expected);
    for (const refused of [
      store.runs(),
      store.blobs.get(events[0]?.hash as never),
      store.delete(run),
      store.compact(),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: "store-failed", kind: "other" });
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
});
