// Random trees of folders, files and links (in, out, dangling, circular) against random paths. The kernel's own answer is
// the oracle wherever it has one.
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { isHarnessError } from "@harness/spec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type TestFolder, testFolder } from "../test-context.js";
import { type Place, resolver } from "./place.js";
import { rootFinder } from "./root.js";

const name = fc.constantFrom("a", "b", "c", "d");
const segment = fc.oneof({ weight: 5, arbitrary: name }, { weight: 2, arbitrary: fc.constantFrom("..", ".", "") });
const spelling = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/"));
const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const entry = fc.record({
  at: place,
  kind: fc.constantFrom("file", "folder", "link", "link", "absolute-link", "link-out"),
  to: spelling,
});

type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

async function make(root: string, outside: string, { at, kind, to }: Entry): Promise<void> {
  const path = join(root, at);
  await mkdir(dirname(path), { recursive: true });
  if (kind === "file") await writeFile(path, "");
  else if (kind === "folder") await mkdir(path, { recursive: true });
  else if (kind === "link") await symlink(to || ".", path);
  else await symlink(join(kind === "link-out" ? outside : root, to), path);
}

async function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function deepestExisting(path: string): Promise<string> {
  return (await realOf(path)) ?? deepestExisting(dirname(path));
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

type Answer = "resolved" | "refused";

/** Resolves `path` and holds the answer against the kernel's. */
async function check({ root }: TestFolder, path: string): Promise<Answer> {
  const resolve = resolver(rootFinder({ foldsCase: false }));
  const found: Place | undefined = await resolve(root, "write", path).catch((error: unknown) => {
    if (isHarnessError(error) && error.code === "act-refused") return undefined;
    throw error;
  });
  // As a rule would read it, with the dots gone; what climbs out of the root is outside for the kernel too.
  const kernels = await realOf(join(root, normalize(path)));
  if (!found) return "refused";
  expect(kernels === undefined || isInside(root, kernels)).toBe(true);
  expect(found.absolute).toBe(kernels ?? found.absolute);
  expect(isInside(root, found.absolute)).toBe(true);
  expect(found.target.split("/")).not.toContain("..");
  // No link is left in it: what exists of it is its own real path.
  expect(found.absolute.startsWith(await deepestExisting(found.absolute))).toBe(true);
  return "resolved";
}

it("never resolves to a place outside the root, and agrees with the kernel on what exists", async () => {
  const answers = new Set<Answer>();
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), fc.array(spelling, { maxLength: 6 }), async (tree, paths) => {
      await using folder = await testFolder({ "d/a": "" });
      // What cannot be made here (a file where a folder is) is left out.
      for (const item of tree) await make(folder.root, folder.outside, item).catch(() => undefined);
      for (const path of [...paths, ...tree.map(({ at }) => at)]) answers.add(await check(folder, path));
    }),
    { numRuns: 60 },
  );
  expect(answers).toEqual(new Set(["resolved", "refused"]));
});
