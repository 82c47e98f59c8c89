import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Calling, call, probe, testFolder } from "../test-context.js";
import { editFileTool } from "../tools/edit-file.js";
import { writeFileTool } from "../tools/write-file.js";

const tool = writeFileTool();
const args = { path: "a", content: "new\n" };
const old = Buffer.from("old\n");

describe("looking back at an interrupted write", () => {
  it("finds it not done when the file is as it was, or is still missing", async () => {
    await using folder = await testFolder({ a: old });
    expect(await probe(tool, args, { workspace: folder.root })).toEqual({ type: "not-done" });
    expect(await probe(tool, { ...args, path: "b" }, { workspace: folder.root })).toEqual({ type: "not-done" });
  });

  it("finds it done, and answers as the write itself would have", async () => {
    await using folder = await testFolder({ a: old });
    const calling: Calling = { workspace: folder.root, kept: { a: old } };
    let answer: unknown;
    const meanwhile = async () => {
      answer = await call(tool, args, calling);
    };
    expect(await probe(tool, args, { ...calling, meanwhile })).toEqual({ type: "done", result: answer });
    expect(await probe(tool, args, { ...calling })).toEqual({
      type: "done",
      result: expect.objectContaining({ changed: false }),
    });
  });

  it("answers for a new file, which needs nothing kept", async () => {
    await using folder = await testFolder();
    const meanwhile = () => writeFile(join(folder.root, "a"), args.content);
    const found = await probe(tool, args, { workspace: folder.root, meanwhile });
    expect(found).toMatchObject({ type: "done", result: { changes: [{ kind: "created", added: 1, before: null }] } });
  });

  it("answers without lines when what was there is not known any more", async () => {
    await using folder = await testFolder({ a: old });
    const meanwhile = () => writeFile(join(folder.root, "a"), args.content);
    for (const kept of [{}, { a: null }, { a: Buffer.from("older") }]) {
      await writeFile(join(folder.root, "a"), old);
      const found = await probe(tool, args, { workspace: folder.root, meanwhile, kept });
      expect(found).toMatchObject({ type: "done", result: { text: expect.stringContaining("was not kept") } });
      expect(found).not.toHaveProperty("result.changes.0.diff");
    }
  });

  it("answers for an edit by undoing it, when what was kept is older", async () => {
    await using folder = await testFolder({ a: "x\r\ny\r\nz\r\ny!\r\n" });
    const edit = { path: "a", search: "y\nz", replace: "y" };
    let answer: unknown;
    const meanwhile = async () => {
      answer = await call(editFileTool(), edit, { workspace: folder.root });
    };
    const found = await probe(editFileTool(), edit, { workspace: folder.root, meanwhile });
    expect(found).toEqual({ type: "done", result: answer });
  });

  it.each([
    ["holds something else", (path: string) => writeFile(path, "theirs")],
    ["is gone", (path: string) => rm(path)],
    ["is a link now", async (path: string) => rm(path).then(() => symlink("b", path))],
  ])("does not know when the file %s", async (_what, change) => {
    await using folder = await testFolder({ a: old, b: args.content });
    const meanwhile = () => change(join(folder.root, "a"));
    expect(await probe(tool, args, { workspace: folder.root, meanwhile })).toEqual({ type: "unknown" });
  });

  it("does not know without what was granted", async () => {
    await using folder = await testFolder({ a: args.content });
    expect(await probe(tool, args, { workspace: folder.root, granted: [] })).toEqual({ type: "unknown" });
  });

  it("knows that a write that could not be planned never happened", async () => {
    await using folder = await testFolder({ a: "x x" });
    const edit = { path: "a", search: "x", replace: "y" };
    expect(await probe(editFileTool(), edit, { workspace: folder.root })).toEqual({ type: "not-done" });
  });
});
