// What a run did, as git reads it: each piece alone in turn and all at once, checked with the git of this machine.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callId, type NewEvent, sha256 } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editFileTool } from "../tools/edit-file.js";
import { gitName } from "./git-name.js";
import { patch } from "./patch.js";
import { archive, type RecordedRun, recordedRun } from "./recorded-run.test-support.js";

const hasGit = versionOfGit() !== undefined;

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Applied extends AsyncDisposable {
  /** The bytes at a path, `null` for no file. */
  at(path: string): Promise<Buffer | null>;
}

/** A fresh folder with `files`, to which git has applied `patches`, one after the other. */
async function applied(files: Files, patches: readonly string[], flags: readonly string[] = []): Promise<Applied> {
  const root = await mkdtemp(join(tmpdir(), "workspace-git-"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  for (const input of patches) git(root, ["apply", "--whitespace=nowarn", ...flags], input);
  return {
    at: (path) => readFile(join(root, path)).catch(() => null),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

function git(cwd: string, args: readonly string[], input: string): string {
  // Outside of any repository, and without anybody's settings.
  const env = {
    ...process.env,
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_CONFIG_GLOBAL: "",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return execFileSync("git", args, { cwd, input, env, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

function versionOfGit(): string | undefined {
  try {
    return execFileSync("git", ["--version"], { encoding: "utf8" });
  } catch {
    return undefined;
  }
}

/** The event of a tool that removed `path`. */
function deleted(path: string, before: string, diff: string): NewEvent {
  return {
    type: "tool.finished",
    step: 2,
    call: callId(2, 1),
    status: "ok",
    changed: true,
    changes: [{ path, kind: "deleted", added: 0, removed: 1, before: sha256(before), after: null }],
    content: { text: "", diffs: [diff] },
  };
}

async function here({ root }: RecordedRun, path: string): Promise<Buffer | null> {
  return readFile(join(root, path)).catch(() => null);
}

/** Applies the series to the first state, at once and piece by piece, and expects what the run left. */
async function expectApplies(made: RecordedRun, first: Files): Promise<void> {
  const { text, notes } = await patch(made.store, made.run);
  expect(notes).toEqual([]);
  await expectLeaves(made, first, [text]);
  await expectLeavesByPieces(made, first);
}

async function expectLeavesByPieces(made: RecordedRun, first: Files): Promise<void> {
  const { pieces } = await patch(made.store, made.run);
  await expectLeaves(
    made,
    first,
    pieces.map(({ text }) => text),
  );
}

async function expectLeaves(made: RecordedRun, first: Files, patches: readonly string[]): Promise<void> {
  const paths = new Set(made.recorded("tool.finished").flatMap(({ changes }) => changes.map(({ path }) => path)));
  await using fresh = await applied(first, patches);
  for (const path of paths) expect(await fresh.at(path), path).toEqual(await here(made, path));
}

describe.skipIf(!hasGit)("patch [needs git on this machine]", () => {
  it("applies: made, changed twice, made empty, without a newline at the end", async () => {
    const first = { a: "one\ntwo\nthree", b: "b\n" };
    await using made = await recordedRun({ files: first });
    await made.write("new/file", "1\n2", 1);
    await made.write("empty", "", 1);
    await made.make(editFileTool(), { path: "a", search: "three", replace: "3" }, 2);
    await made.write("new/file", "1\n2\n3\n", 3);
    await made.write("b", "", 3);
    await made.write("a", "one\n", 4);
    await made.write("empty", "no longer\n", 4);

    await expectApplies(made, first);
  });

  it.each([
    "a b",
    'qu"ote',
    "back\\slash",
    "tab\there",
    "naïve/ñandú.txt",
    "日本.txt",
    " b/x b/x",
    "new\nline",
    "a/b/ c ",
  ])("takes the name %j", async (name) => {
    await using made = await recordedRun();
    await made.write(name, "one\n");
    await made.write(name, "two\n");

    await expectApplies(made, {});
  });

  it.each([
    ["CRLF", "one\r\ntwo\r\n", "one\r\nthree\r\n"],
    ["a lone CR", "one\rtwo\n", "one\rthree\n"],
    ["a byte order mark", "\ufeffone\ntwo\n", "\ufeffone\nthree\n"],
    ["a NUL", "one\0\ntwo\n", "one\0\nthree\n"],
    [
      "what looks like a patch",
      "--- a\n+++ b\n@@ -1 +1 @@\n",
      "--- a\n+++ c\n@@ -1 +1 @@\n\\ No newline at end of file\n",
    ],
    ["odd line ends", "one\u2028two\u0085\n", "one\u2028three\n"],
  ])("takes a text with %s", async (_what, before, after) => {
    await using made = await recordedRun({ files: { a: before } });
    await made.write("a", after);
    await made.write("b", after);

    await expectApplies(made, { a: before });
  });

  it.each(["le", "be"])("takes UTF-16 (%s) as a binary patch, which also leads back", async (order) => {
    const bytes = Buffer.from("\ufeffone\n".repeat(60), "utf16le");
    const file = order === "be" ? bytes.swap16() : bytes;
    await using made = await recordedRun({ files: { a: file } });
    await made.write("a", "two\n".repeat(50));

    await expectApplies(made, { a: file });
    const { text } = await patch(made.store, made.run);
    expect(text).toContain("GIT binary patch");
    await using back = await applied({ a: (await here(made, "a")) ?? "" }, [text], ["--reverse"]);
    expect(await back.at("a")).toEqual(file);
  });

  it("takes what another tool deleted", async () => {
    const first = { a: "one\n", b: "" };
    await using made = await recordedRun({ files: first });
    await made.record(deleted("a", "one\n", "--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"));
    const kept = { state: "text", digest: sha256(""), bytes: 0, content: { text: "" } } as const;
    await made.record({ type: "file.kept", step: 2, call: callId(2, 1), path: "b", ...kept }, deleted("b", "", ""));
    await Promise.all(["a", "b"].map((path) => rm(join(made.root, path))));

    await expectApplies(made, first);
  });

  it("says of a file that is changed and then removed that the removal goes by itself", async () => {
    const first = { a: "one\ntwo\n" };
    await using made = await recordedRun({ files: first });
    await made.write("a", "one\n");
    await made.record(deleted("a", "one\n", "--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"));
    await rm(join(made.root, "a"));

    expect((await patch(made.store, made.run)).notes).toMatchObject([{ type: "apart", path: "a" }]);
    await expectLeavesByPieces(made, first);
  });

  it("turns whatever was there into whatever the run made of it", async () => {
    const content = fc.oneof(
      fc
        .array(fc.constantFrom("a\n", "b\n", "ä\n", "\n", "c\r\n", "-- d\n", "+e\n", "f"), { maxLength: 12 })
        .map((lines) => lines.join("")),
      fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed()),
    );
    const name = fc.constantFrom("a", "b c", "é/f");
    const edits = fc.array(fc.record({ path: name, content }), { minLength: 1, maxLength: 5 });
    const first = fc.dictionary(name, content, { noNullPrototype: true });

    await fc.assert(
      fc.asyncProperty(first, edits, async (files, changes) => {
        await using made = await recordedRun({ files });
        for (const [index, change] of changes.entries()) await made.write(change.path, change.content, index + 1);
        const { pieces } = await patch(made.store, made.run);
        if (pieces.length > 0) await expectApplies(made, files);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

describe("what a series cannot hold", () => {
  const secret = "hunter2hunter2";

  it("is a comment that says why: binary, large, secret", async () => {
    const files = { image: Uint8Array.of(0xff, 0xfe, 0xfd), config: `key=${secret}\n`, large: "x\n" };
    await using made = await recordedRun({ files, secrets: new Map([["KEY", secret]]) });
    await made.write("image", "text\n");
    await made.write("config", "key=none\n");
    await made.write("large", "y\n".repeat(600_000));
    await made.write("fine", "z\n");

    const { text, pieces, notes } = await patch(made.store, made.run);

    expect(pieces).toHaveLength(1);
    expect(notes).toMatchObject([
      { call: "1.1", path: "image", type: "left-out", reason: expect.stringContaining("binary") },
      { call: "1.2", path: "config", type: "left-out", reason: expect.stringContaining("secret") },
      { call: "1.3", path: "large", type: "left-out", reason: expect.stringContaining("large") },
    ]);
    expect(
      text
        .split("\n")
        .slice(0, 3)
        .every((line) => line.startsWith("# 1.")),
    ).toBe(true);
    expect(text).not.toContain(secret);
  });

  it("is a gap where something else changed the file in between, and the series goes on", async () => {
    await using made = await recordedRun({ files: { a: "1\n" } });
    await made.write("a", "2\n");
    await writeFile(join(made.root, "a"), "formatted\n");
    await made.write("a", "3\n");

    const { pieces, notes, text } = await patch(made.store, made.run);

    expect(pieces).toHaveLength(2);
    expect(notes).toMatchObject([{ call: "1.2", path: "a", type: "gap" }]);
    expect(text).toContain("-formatted\n+3\n");
  });

  it("is everything of an archived run", async () => {
    await using made = await recordedRun();
    await made.write("a", "1\n");
    archive(made);

    expect(await patch(made.store, made.run)).toMatchObject({
      pieces: [],
      notes: [{ reason: expect.stringContaining("archived") }],
    });
  });

  it("is nothing for a run that changed nothing, and an unknown run is an error", async () => {
    await using made = await recordedRun();

    expect(await patch(made.store, made.run)).toEqual({ text: "", pieces: [], notes: [] });
    await expect(patch(made.store, "nobody")).rejects.toMatchObject({ kind: "missing" });
  });

  it("is not what a file says that only looks like a masked secret", async () => {
    await using made = await recordedRun({ files: { a: "[redacted:KEY]\n" } });
    await made.write("a", "x [redacted:KEY]\n");

    expect(await patch(made.store, made.run)).toMatchObject({ pieces: [{ path: "a" }], notes: [] });
  });
});

describe("gitName", () => {
  it.each([
    ["a b", "a b"],
    ['a"b', '"a\\"b"'],
    ["ä", '"\\303\\244"'],
    ["a\tb\n\u0001", '"a\\tb\\n\\001"'],
  ])("writes %j as git does", (name, written) => {
    expect(gitName(name)).toBe(written);
  });
});
