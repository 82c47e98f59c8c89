// For the tests of this package: a place that goes away, sealed events, other processes, and this package as those can run it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  genesis,
  type Lease,
  type NewEvent,
  type RunEvent,
  type RunId,
  redactor,
  runId,
  type Store,
  type StoredEvent,
  seal,
} from "@harness/spec";
import Database from "better-sqlite3";
import { build } from "vite";
import { afterAll, beforeAll, onTestFinished } from "vitest";

/** A path in a folder of its own, removed when the test is over. */
export function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "harness-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "runs.db");
}

/** A bare connection to a file, closed when the test is over. */
export function bare(path: string): Database.Database {
  const database = new Database(path);
  onTestFinished(() => void database.close());
  return database;
}

/** Closes `store` when the test is over. */
export function using<Opened extends Store>(store: Opened): Opened {
  onTestFinished(() => store.close());
  return store;
}

export const run = runId("run-1");

/** Creates `id` as a root and takes it. */
export async function drive(store: Store, id: RunId = run, owner = "elsewhere:1:a"): Promise<Lease> {
  await store.create({ id, root: id, parent: null, createdAt: 1_750_000_000_000 });
  return store.acquire(id, owner, 600_000);
}

/** `events` sealed from the start of the stream of `id`. */
export function sealed(events: readonly NewEvent[], id: RunId = run): StoredEvent[] {
  const redact = redactor();
  let head = genesis(id);
  return events.map((event, index) => {
    const { stored } = seal(head, { ...event, seq: index + 1, at: 1_750_000_000_000 + index } as RunEvent, redact);
    head = stored;
    return stored;
  });
}

export function steps(count: number, id: RunId = run): StoredEvent[] {
  return sealed(
    Array.from({ length: count }, (_, index) => ({ type: "step.started", step: index + 1 }) as const),
    id,
  );
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export interface Child {
  readonly pid: number;
  /** The next line it prints; rejects when it ends without one. */
  line(): Promise<string>;
  send(text: string): void;
  kill(): Promise<void>;
  /** Its exit code, with what it printed to stderr when that is not 0. */
  readonly ended: Promise<number | string>;
}

/** Runs `script`, an ES module, with `argument` in a Node of its own, by another user where one is given. */
export function startProcess(
  script: string,
  argument: string,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Child {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, argument], { stdio: "pipe", ...user });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<number | string>((resolve) =>
    child.on("close", (code) => resolve(code === 0 ? 0 : errors)),
  );
  return {
    pid: child.pid as number,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The process ended: ${await ended}`);
      return value;
    },
    send: (text) => void child.stdin.write(text),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The URL under which another process can import the driver. */
export const driverUrl = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;

/** For the tests of one file: `url` is what another process imports to run these sources as they are now. */
export function storeForProcesses(): { readonly url: string } {
  const built = { url: "" };
  const outDir = here(`../node_modules/.test-build/${process.pid}`);
  beforeAll(async () => {
    built.url = await bundle(outDir);
  });
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  return built;
}

async function bundle(outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { "@harness/spec": here("../../spec/src/index.ts") } },
    ssr: { external: ["better-sqlite3"] },
    build: {
      ssr: here("./process.test-support.ts"),
      outDir,
      target: "node20",
      rollupOptions: { output: { entryFileNames: "store.mjs" } },
    },
  });
  return pathToFileURL(join(outDir, "store.mjs")).href;
}

/**
 * A script with the store of `url` open at its argument, to go on with in `body`. There, `line()` is the next text it is sent,
 * `logAt(head)` makes the events behind `head`, and `mine` names an owner in that process.
 */
export function scriptWithStore(url: string, body: string, options = "{}"): string {
  return `
    import { hostname } from "node:os";
    import { genesis, redactor, seal, sqliteStore, verifyTrace } from ${JSON.stringify(url)};
    const store = sqliteStore({ path: process.argv[1], ...${options} });
    const line = () => new Promise((resolve) => process.stdin.once("data", resolve));
    const mine = hostname() + ":" + process.pid + ":x";
    const redact = redactor();
    const logAt = (head) => (...events) => events.map((event) => {
      const { stored } = seal(head, { ...event, seq: head.seq + 1, at: 1 }, redact);
      head = stored;
      return stored;
    });
    ${body}
  `;
}
