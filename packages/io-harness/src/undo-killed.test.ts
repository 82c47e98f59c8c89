// An undoing in a process that is killed at every append: whoever undoes again ends with what was there before the run, and the trace
// shows both attempts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { call, say, scriptedProvider } from "@harness/testing";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Policy, rewindRun, run, sqliteStore, verifyTrace, workspace } from "./index.js";

let base: string;
let undoing: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "io-harness-killed-"));
  undoing = await bundle(base);
});
afterAll(() => rm(base, { recursive: true, force: true }));

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** These sources as one file that another process can import. */
async function bundle(outDir: string): Promise<string> {
  const sqlite = createRequire(here("../../store-sqlite/package.json")).resolve("better-sqlite3");
  const packages = [
    "core",
    "policy",
    "sandbox-floor",
    "sandbox-linux",
    "sandbox-macos",
    "spec",
    "store-sqlite",
    "workspace",
  ];
  const alias = packages.map((name) => ({ find: `@harness/${name}`, replacement: here(`../../${name}/src/index.ts`) }));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias },
    ssr: { noExternal: true, external: ["better-sqlite3"] },
    build: {
      ssr: here("./index.ts"),
      outDir,
      target: "node20",
      rollupOptions: {
        output: { entryFileNames: "undo.mjs", paths: { "better-sqlite3": pathToFileURL(sqlite).href } },
      },
    },
  });
  return pathToFileURL(join(outDir, "undo.mjs")).href;
}

/** Undoes the run given, and dies right before or right behind its append number `at`. */
const script = () => `
  import { rewindRun, sqliteStore } from ${JSON.stringify(undoing)};
  const [path, run, at, side] = process.argv.slice(1);
  const store = sqliteStore({ path });
  const { append } = store;
  const die = () => process.kill(process.pid, "SIGKILL");
  let count = 0;
  store.append = async (...given) => {
    count += 1;
    if (count === Number(at) && side === "before") die();
    await append.call(store, ...given);
    if (count === Number(at) && side === "behind") die();
  };
  await rewindRun(run, { store });
  await store.close();
`;

async function undoElsewhere(...given: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script(), ...given], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = await once(child, "close");
  return signal;
}

const paths = ["a.txt", "b.txt", "c.txt"];

async function changed(folder: string) {
  const root = join(folder, "work");
  const path = join(folder, "runs.db");
  await mkdir(root, { recursive: true });
  for (const file of paths) await writeFile(join(root, file), `${file} as it was\n`);
  const writes = [...paths, "made.txt"].map((file) => call("write_file", { path: file, content: "changed\n" }));
  const provider = scriptedProvider([...writes, say("Done.")]);
  const policy = new Policy().allowRead("*").allowWrite("*");
  const store = sqliteStore({ path });
  const { runId } = await run(workspace(root, { goal: "Change them." }), { provider, policy, store });
  return { root, path, store, runId };
}

// Two records, and a look at the lease before each of four files.
const appends = [1, 2, 3, 4, 5, 6];

describe("an undoing that is killed", () => {
  it.each(appends.flatMap((at) => [[at, "before"] as const, [at, "behind"] as const]))(
    "at append %i (%s it) ends the same when it is done again",
    async (at, side) => {
      const { root, path, store, runId } = await changed(join(base, `${at}-${side}`));
      try {
        expect(await undoElsewhere(path, runId, String(at), side)).toBe("SIGKILL");

        const { files } = await rewindRun(runId, { store });

        expect(files.map(({ type }) => type)).toEqual(["restored", "restored", "restored", "removed"]);
        expect((await readdir(root)).sort()).toEqual(paths);
        for (const file of paths) expect(await readFile(join(root, file), "utf8")).toBe(`${file} as it was\n`);
        expect(await verifyTrace(store, runId)).toMatchObject({ type: "verified", isFinished: true });
        expect(await phasesOf(store, runId)).toEqual(phasesAfter(at, side));
      } finally {
        await store.close();
      }
    },
  );

  it("has no more appends than those", async () => {
    const { path, store, runId } = await changed(join(base, "whole"));
    try {
      expect(await undoElsewhere(path, runId, String(appends.length + 1), "before")).toBeNull();
      expect(await phasesOf(store, runId)).toEqual(["intended", "done"]);
    } finally {
      await store.close();
    }
  });
});

/** An attempt is visible from its first record on; one that had come to its end is not made again. */
function phasesAfter(at: number, side: "before" | "behind"): readonly string[] {
  if (at === 1 && side === "before") return ["intended", "done"];
  return at === appends.length && side === "behind" ? ["intended", "done"] : ["intended", "intended", "done"];
}

async function phasesOf(store: ReturnType<typeof sqliteStore>, id: string): Promise<readonly string[]> {
  const phases: string[] = [];
  for await (const { facts } of store.read(id as never)) {
    const event = JSON.parse(facts);
    if (event.type === "files.rewound") phases.push(event.phase);
  }
  return phases;
}
