import { getEventListeners } from "node:events";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { type TestFolder, testFolder } from "../test-context.js";
import { progress } from "./progress.js";
import { type Findings, type Means, searchFiles } from "./search-files.js";
import { type WorkerPool, workerPool } from "./worker-pool.js";

/** Takes for ever on a line of many a that ends otherwise, and no time on one that does not. */
const runaway = "^(a+)+$";
const endless = `${"a".repeat(60)}!\n`;

const descriptors = "/proc/self/fd";

/** What this process has open. */
function openFiles(): readonly string[] {
  return readdirSync(descriptors).map((name) => {
    try {
      return readlinkSync(join(descriptors, name));
    } catch {
      // The one by which the names were read.
      return "";
    }
  });
}

interface Asking extends Partial<Means> {
  readonly pattern?: string;
  readonly signal?: AbortSignal;
  readonly visible?: (path: string) => boolean;
}

async function search({ root }: TestFolder, asking: Asking = {}): Promise<Findings> {
  const { pattern, signal = new AbortController().signal, visible = () => true, ...means } = asking;
  const start = await resolver(rootFinder())(root, "read", ".");
  const wanted = { start, glob: undefined, pattern, maxShown: 200 };
  return searchFiles(wanted, { signal, visible }, { clock: systemClock(), ...means });
}

/** A pool of one, and a wait until its worker is at the file `path`. */
function watched(): { readonly workers: WorkerPool; reaches(path: string): Promise<void> } {
  const pool = workerPool({ maxWorkers: 1 });
  let memory: SharedArrayBuffer | undefined;
  const take: WorkerPool["take"] = async (signal) => {
    const worker = await pool.take(signal);
    return {
      ...worker,
      send(order) {
        memory = order.memory;
        worker.send(order);
      },
    };
  };
  const reaches = (path: string) => expect.poll(() => memory && progress(memory).path()).toBe(path);
  return { workers: { ...pool, take }, reaches };
}

describe("a search by a worker", () => {
  it("stops after 10 s with what was found and the file it is at, even within one line", async () => {
    await using folder = await testFolder({ "a.txt": "aa\n", "b/slow.txt": endless, "c.txt": "aa\n" });
    const clock = fakeClock();
    const { workers, reaches } = watched();
    const late = search(folder, { pattern: runaway, clock, workers });
    await reaches("b/slow.txt");
    await clock.advance(9_999);
    expect(clock.waiting).toBe(1);
    await clock.advance(1);
    expect(await late).toMatchObject({ lines: ["a.txt:1: aa"], found: 1, files: 1, stoppedAt: "b/slow.txt" });
    expect((await search(folder, { pattern: "^aa$", workers })).lines).toEqual(["a.txt:1: aa", "c.txt:1: aa"]);
  });

  it("is cancelled at once, even within one line, and leaves nothing open", async ({ skip }) => {
    await using folder = await testFolder({ "a.txt": "aa\n", "b.txt": endless });
    const { workers, reaches } = watched();
    const stop = new AbortController();
    const cancelled = search(folder, { pattern: runaway, signal: stop.signal, workers });
    await reaches("b.txt");
    stop.abort(new Error("no more"));
    await expect(cancelled).rejects.toThrow("no more");
    expect((await search(folder, { pattern: "^aa$", workers })).files).toBe(2);
    if (!existsSync(descriptors)) skip("the system does not show which files are open");
    expect(openFiles().filter((path) => path.startsWith(folder.root))).toEqual([]);
  });

  it("leaves the line when it is cancelled before its turn", async () => {
    await using folder = await testFolder({ "a.txt": "aa\n", "b.txt": endless });
    const { workers, reaches } = watched();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = search(folder, { pattern: runaway, signal: first.signal, workers });
    await reaches("b.txt");
    const waiting = search(folder, { signal: second.signal, workers });
    const last = search(folder, { workers });
    second.abort(new Error("second"));
    await expect(waiting).rejects.toThrow("second");
    first.abort(new Error("first"));
    await expect(running).rejects.toThrow("first");
    expect((await last).lines).toEqual(["a.txt", "b.txt"]);
  });

  it("serves a hundred at once with two workers", async () => {
    await using folder = await testFolder({ a: "needle\n", "b/c": "x\nneedle" });
    const workers = workerPool();
    const all = Array.from({ length: 100 }, () => search(folder, { pattern: "needle", workers }));
    await Promise.race(all);
    expect(workers.size).toBe(2);
    for (const { lines } of await Promise.all(all)) expect(lines).toEqual(["a:1: needle", "b/c:2: needle"]);
  });

  it("listens to its signal and its clock no longer than it lasts", async () => {
    await using folder = await testFolder({ a: "needle\n" });
    const { signal } = new AbortController();
    const clock = fakeClock();
    const workers = workerPool({ maxWorkers: 1 });
    await Promise.all(Array.from({ length: 5 }, () => search(folder, { signal, clock, workers })));
    expect([getEventListeners(signal, "abort"), clock.waiting]).toEqual([[], 0]);
  });

  it("takes no answer to a search that failed for one to the next", async () => {
    const names = Array.from({ length: 900 }, (_, index) => [`later-${index}`, ""]);
    const long = "ab".repeat(2_500_000);
    await using failing = await testFolder({ ...Object.fromEntries(names), "a.txt": long });
    await using folder = await testFolder({ a: "", secret: "" });
    const workers = workerPool({ maxWorkers: 1 });
    await expect(search(failing, { pattern: "^((a+)|(b+)|c)*[d]", workers })).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringContaining('a line of "a.txt" is too long for this pattern'),
    });
    const visible = (path: string) => path !== "secret";
    expect(await search(folder, { visible, workers })).toMatchObject({ lines: ["a"], hidden: 1 });
  });

  it("passes on what the policy throws, and serves the next", async () => {
    await using folder = await testFolder({ a: "" });
    const workers = workerPool({ maxWorkers: 1 });
    const visible = () => {
      throw new Error("no policy");
    };
    await expect(search(folder, { visible, workers })).rejects.toThrow("no policy");
    expect((await search(folder, { workers })).lines).toEqual(["a"]);
  });

  it("lets timers run while the policy answers", async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => [`f${index}`, ""]);
    await using folder = await testFolder(Object.fromEntries(names));
    let [asked, ticks] = [0, 0];
    const timer = setInterval(() => (ticks += 1), 0);
    const visible = () => {
      asked += 1;
      // As slow as a policy may be.
      for (let spin = 0; spin < 2_000; spin += 1) Math.sqrt(spin);
      return true;
    };
    await search(folder, { visible, workers: workerPool() });
    clearInterval(timer);
    expect(asked).toBe(2_000);
    expect(ticks).toBeGreaterThan(1);
  });
});

describe("a worker that fails", () => {
  it("fails the search that it was serving, and not the next", async () => {
    await using folder = await testFolder({ a: "" });
    const marker = join(folder.outside, "crash");
    const file = join(folder.outside, "worker.mjs");
    writeFileSync(marker, "");
    writeFileSync(
      file,
      `import { existsSync, rmSync } from "node:fs";
       import { parentPort } from "node:worker_threads";
       parentPort.on("message", ({ port }) => {
         if (!existsSync(${JSON.stringify(marker)})) return port.postMessage({ type: "done" });
         rmSync(${JSON.stringify(marker)});
         throw Object.assign(new Error("broken"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
       });`,
    );
    const workers = workerPool({ file: pathToFileURL(file), maxWorkers: 1 });
    const outcomes = await Promise.allSettled([search(folder, { workers }), search(folder, { workers })]);

    // Whichever gets the worker first.
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { found: 0 } }]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([
      {
        reason: {
          code: "tool-failed",
          message:
            'Could not search ".": the thread that searches ended early (ERR_WORKER_OUT_OF_MEMORY). Try again, with a narrower glob or path.',
        },
      },
    ]);
  });

  it("is told apart from one whose file is missing", async () => {
    await using folder = await testFolder({ a: "" });
    const workers = workerPool({ file: pathToFileURL(join(folder.outside, "search-worker.js")) });
    await expect(search(folder, { workers })).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringMatching(
        /search-worker\.js of @harness\/workspace.* keep @harness\/workspace out of the bundle/,
      ),
    });
  });

  it("cannot be started from what is no file, and says so to everyone who waits", async () => {
    await using folder = await testFolder({ a: "" });
    const workers = workerPool({ file: new URL("https://example.com/search-worker.js"), maxWorkers: 1 });
    for (const outcome of await Promise.allSettled([search(folder, { workers }), search(folder, { workers })])) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "tool-failed" } });
    }
  });
});

describe("idle workers", () => {
  it("end by themselves, and another is started when it is needed", async () => {
    await using folder = await testFolder({ a: "" });
    const workers = workerPool({ idleMs: 0 });
    expect((await search(folder, { workers })).lines).toEqual(["a"]);
    await expect.poll(() => workers.size).toBe(0);
    expect((await search(folder, { workers })).lines).toEqual(["a"]);
  });
});
