// Random paths through random links, while another process exchanges the folders and files on the way for links that lead
// out, and back. What counts is the world: what is outside stays as it is, and no word of it is ever answered.
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AnyTool, isHarnessError } from "@harness/spec";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceFile } from "../change/replace-file.js";
import { call, type TestFolder, testFolder } from "../test-context.js";
import { editFileTool } from "../tools/edit-file.js";
import { listDirTool } from "../tools/list-dir.js";
import { readFileTool } from "../tools/read-file.js";
import { writeFileTool } from "../tools/write-file.js";
import { findFile } from "./found-file.js";
import { resolver } from "./place.js";
import { rootFinder } from "./root.js";
import { startSwapper } from "./swapper.test-support.js";

const canary = "canary";
const outsideFiles = ["file", "deep/file", "canary-name", "deep/canary-name"];
const insideFiles = ["a/file", "a/deep/file", "b/c/file", "b/c/deep/file", "file", "secrets/file", "calm/file"];

let folder: TestFolder;
let swapper: AsyncDisposable;

beforeAll(async () => {
  folder = await testFolder(Object.fromEntries(insideFiles.map((path) => [path, "inside\n"])));
  for (const path of outsideFiles) {
    await mkdir(dirname(join(folder.outside, path)), { recursive: true });
    await writeFile(join(folder.outside, path), `${canary}\ninside\n`);
  }
  const swap = (path: string, target: string) => ({ path: join(folder.root, path), target });
  const often = swap("a", folder.outside);
  swapper = await startSwapper([
    ...[often, swap("b/c", join(folder.root, "secrets"))],
    ...[often, swap("b", "../outside")],
    ...[often, swap("file", join(folder.outside, "file"))],
    ...[often, swap("secrets/file", "../../outside/file")],
  ]);
});
afterAll(async () => {
  await swapper[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const name = fc.constantFrom("a", "b", "c", "file", "deep", "new", "secrets", "A", "File", "DEEP");
const dots = fc.constantFrom(".", "..", "");
const known = fc.constantFrom(...insideFiles, "a", "b/c", "a/deep", "a/new/file", "b/c/new");
const spelling = fc.oneof(
  { weight: 2, arbitrary: known },
  fc
    .array(fc.oneof({ weight: 4, arbitrary: name }, dots), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join("/") || "."),
  fc.tuple(known, fc.constantFrom("x", "y", "a")).map(([path, link]) => `links/${link}/./${path}`),
  fc
    .tuple(fc.constantFrom("x", "y"), fc.constantFrom("file", "deep/file", "new"))
    .map((parts) => `links/${parts.join("/")}`),
);
const link = fc.record({
  at: fc.constantFrom("x", "y", "a"),
  to: fc.oneof(
    spelling.map((path) => `../${path}`),
    fc.constantFrom("..", "../a", "../b/c", "x", "y", "../../outside", "../a/deep/..", "../secrets/file"),
  ),
});

/** What happened, in words that a test can count. Anything but an answer or a refusal of ours is a fault. */
type End = "answered" | "refused" | "swapped" | "failed";

// Only the other process makes a link of this folder.
const swappedFor = 'leaves the workspace through the link "a"';

async function ended(work: () => Promise<unknown>): Promise<End> {
  try {
    expect(JSON.stringify(await work())).not.toContain(canary);
    return "answered";
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    expect(error.message).not.toContain(canary);
    if (error.code === "tool-failed") return "failed";
    expect(error.code).toBe("act-refused");
    return error.message.includes(swappedFor) ? "swapped" : "refused";
  }
}

/** Does `work` in the folder that is swapped, over and over, and until it was refused for that at least once. */
async function hammer(work: () => Promise<unknown>, times: number): Promise<void> {
  let wasSwapped = false;
  for (let count = 0; count < times || !wasSwapped; count += 1) {
    if ((await ended(work)) === "swapped") wasSwapped = true;
  }
}

async function links(made: readonly { readonly at: string; readonly to: string }[]): Promise<void> {
  await rm(join(folder.root, "links"), { recursive: true, force: true });
  await mkdir(join(folder.root, "links"));
  for (const { at, to } of made) await symlink(to, join(folder.root, "links", at)).catch(() => undefined);
}

async function expectOutsideUntouched(): Promise<void> {
  const names = await readdir(folder.outside, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => !entry.isDirectory());
  expect(files.map((entry) => join(entry.parentPath, entry.name)).sort()).toEqual(
    outsideFiles.map((path) => join(folder.outside, path)).sort(),
  );
  for (const path of outsideFiles) {
    expect(await readFile(join(folder.outside, path), "utf8")).toBe(`${canary}\ninside\n`);
  }
}

const tools = {
  read: [readFileTool(), {}],
  list: [listDirTool(), {}],
  write: [writeFileTool(), { content: "written\ninside\n" }],
  edit: [editFileTool(), { search: "inside", replace: "inside" }],
} as const;

/** Calls of which it is known how they end, so that no tool is tried in vain. */
const certain: readonly (readonly [keyof typeof tools, string])[] = [
  ["read", "calm/file"],
  ["list", "calm"],
  ["write", "calm/new"],
  ["edit", "calm/file"],
  ["read", "../outside/file"],
  ["list", "../outside"],
  ["write", "calm/../../outside/new"],
  ["edit", "a/../../outside/file"],
];

/** Reads a file and replaces it, on a volume that folds case or does not; resolves to what was there. */
function rewriter(foldsCase: boolean): (path: string) => Promise<string | null> {
  const resolve = resolver(rootFinder({ foldsCase }));
  return async (path) => {
    const place = await resolve(folder.root, "write", path);
    const found = await findFile("write", place);
    const bytes = Buffer.from("written\ninside\n");
    const answer = async () => found && Buffer.from(found.bytes).toString();
    return replaceFile(place, { found, bytes, signal: new AbortController().signal, answer });
  };
}

describe.skipIf(process.platform !== "linux")("while folders are swapped for links [held open on Linux only]", () => {
  it("no tool reads or writes anything outside the workspace", async () => {
    const seen = new Set<string>();
    const kind = fc.constantFrom(...(Object.keys(tools) as (keyof typeof tools)[]));
    const calls = fc.array(fc.tuple(kind, spelling), { minLength: 8, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { maxLength: 4 }), calls, async (made, wanted) => {
        await links(made);
        const ends = [...wanted, ...certain].map(async ([which, path]) => {
          const [tool, rest] = tools[which];
          const { root: workspace } = folder;
          seen.add(`${which} ${await ended(() => call(tool as AnyTool, { path, ...rest }, { workspace }))}`);
        });
        await Promise.all(ends);
        await expectOutsideUntouched();
      }),
      { numRuns: 20 },
    );
    const kinds = Object.keys(tools).flatMap((which) => [`${which} answered`, `${which} refused`]);
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
  });

  it.each([
    ["read", "a/file", 1_000],
    ["list", "a/deep", 1_000],
    ["write", "a/file", 60],
    ["edit", "a/deep/file", 60],
  ] as const)("no %s gets out of the folder that is swapped, however often it is tried", async (which, path, times) => {
    const [tool, rest] = tools[which];
    await hammer(() => call(tool as AnyTool, { path, ...rest }, { workspace: folder.root }), times);
    await expectOutsideUntouched();
  });

  it("the resolver and the openers do not either, whichever way names are taken", async () => {
    const paths = fc.array(spelling, { minLength: 8, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { maxLength: 4 }), paths, fc.boolean(), async (made, wanted, foldsCase) => {
        await links(made);
        const rewrite = rewriter(foldsCase);
        await Promise.all(wanted.map((path) => ended(() => rewrite(path))));
        await expectOutsideUntouched();
        expect(await ended(() => rewrite("calm/file"))).toBe("answered");
      }),
      { numRuns: 20 },
    );
    await hammer(() => rewriter(false)("a/file"), 60);
    await expectOutsideUntouched();
  });
});
