// The changes of one step, taken out of what is there: all of them or none, the newest step first.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Policy } from "@harness/policy";
import { describe, expect, it } from "vitest";
import { editFileTool } from "../tools/edit-file.js";
import { archive, type RecordedRun, recordedRun } from "./recorded-run.test-support.js";
import { rewind, rewindRun } from "./rewind.js";
import { rewindStep } from "./rewind-step.js";

const read = ({ root }: RecordedRun, path: string) => readFile(join(root, path), "utf8");
const write = ({ root }: RecordedRun, path: string, text: string) => writeFile(join(root, path), text);
const isThere = ({ root }: RecordedRun, path: string) =>
  stat(join(root, path)).then(
    () => true,
    () => false,
  );
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function edited(): Promise<RecordedRun> {
  const made = await recordedRun({ files: { a: numbered(30) } });
  await made.make(editFileTool(), { path: "a", search: "line 5\n", replace: "five\n" }, 1);
  await made.make(editFileTool(), { path: "a", search: "line 25\n", replace: "twenty-five\n" }, 2);
  return made;
}

describe("rewindStep", () => {
  it("takes steps out, newest first, down to what was there", async () => {
    await using made = await edited();

    expect(await rewindStep(made.store, made.run, 2)).toEqual({
      type: "applied",
      files: [{ path: "a", type: "reversed" }],
    });
    expect(await read(made, "a")).toBe(numbered(30).replace("line 5\n", "five\n"));
    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied" });
    expect(await read(made, "a")).toBe(numbered(30));
  });

  it("leaves what happened to other places of the file", async () => {
    await using made = await edited();
    await write(made, "a", (await read(made, "a")).replace("line 15\n", "a person's\n"));

    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied" });

    const rest = numbered(30).replace("line 25\n", "twenty-five\n").replace("line 15\n", "a person's\n");
    expect(await read(made, "a")).toBe(rest);
    // A person's work is in it now, so it does not count as what the run left.
    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "stale" });
  });

  it("is stale and changes nothing when a person has changed the lines", async () => {
    await using made = await edited();
    await write(made, "a", (await read(made, "a")).replace("twenty-five\n", "25\n"));
    const before = await read(made, "a");

    expect(await rewindStep(made.store, made.run, 2)).toEqual({ type: "stale", path: "a" });
    expect(await read(made, "a")).toBe(before);
    expect(made.recorded("files.rewound")).toEqual([]);
  });

  it("removes what the step created", async () => {
    await using made = await recordedRun();
    await made.write("new", "one\n");

    expect(await rewindStep(made.store, made.run, 1)).toEqual({
      type: "applied",
      files: [{ path: "new", type: "removed" }],
    });
    expect(await isThere(made, "new")).toBe(false);
  });

  it("is stale for a file that the run created and a person edited", async () => {
    await using made = await recordedRun();
    await made.write("new", "one\n");
    await write(made, "new", "one\na person's\n");

    expect(await rewindStep(made.store, made.run, 1)).toEqual({ type: "stale", path: "new" });
    expect(await read(made, "new")).toBe("one\na person's\n");
  });

  it("takes out several changes of one file at once, and all files or none", async () => {
    await using made = await recordedRun({ files: { a: "1\n", b: "1\n" } });
    await made.write("a", "2\n", 1);
    await made.write("b", "2\n", 1);
    await made.write("a", "3\n", 1);
    await write(made, "b", "a person's\n");

    expect(await rewindStep(made.store, made.run, 1)).toEqual({ type: "stale", path: "b" });
    expect(await read(made, "a")).toBe("3\n");

    await write(made, "b", "2\n");
    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied" });
    expect([await read(made, "a"), await read(made, "b")]).toEqual(["1\n", "1\n"]);
  });

  it("says the same a second time, and records it once", async () => {
    await using made = await edited();
    const first = await rewindStep(made.store, made.run, 2);

    expect(await rewindStep(made.store, made.run, 2)).toEqual(first);
    expect(made.recorded("files.rewound")).toMatchObject([
      { phase: "intended", scope: "step", undid: 2, paths: [{ path: "a", result: "reversed" }] },
      { phase: "done", scope: "step", undid: 2 },
    ]);
  });

  it("leaves a file that the whole run can still be undone for", async () => {
    await using made = await edited();
    await rewindStep(made.store, made.run, 2);

    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "restored" });
    expect(await read(made, "a")).toBe(numbered(30));
  });

  it("finishes what was cut after the first of two files", async () => {
    await using made = await recordedRun({ files: { a: "1\n", b: "1\n" } });
    await made.write("a", "2\n");
    await made.write("b", "2\n");
    let held = 0;
    made.store.onAppend = (events) => {
      held += events.length === 0 ? 1 : 0;
      if (held === 2) throw new Error("killed");
    };
    await expect(rewindStep(made.store, made.run, 1)).rejects.toThrow("killed");
    made.store.onAppend = () => undefined;
    expect([await read(made, "a"), await read(made, "b")]).toEqual(["1\n", "2\n"]);

    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied", files: [{}, {}] });
    expect(await read(made, "b")).toBe("1\n");
  });

  it("is stale once the whole run was undone and a person went on", async () => {
    await using made = await edited();
    await rewindRun(made.store, made.run);
    await write(made, "a", "other\n");

    expect(await rewindStep(made.store, made.run, 2)).toMatchObject({ type: "stale" });
  });

  it("keeps a byte order mark and line endings", async () => {
    await using made = await recordedRun({ files: { a: "\ufeffone\r\ntwo\r\n" } });
    await made.make(editFileTool(), { path: "a", search: "two", replace: "three" });

    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied" });
    expect(await read(made, "a")).toBe("\ufeffone\r\ntwo\r\n");
  });

  it("is refused by the policy with its rule", async () => {
    await using made = await edited();
    const policy = new Policy().layer("mine").denyWrite("a");

    expect(await rewindStep(made.store, made.run, 2, { policy })).toMatchObject({
      type: "refused",
      path: "a",
      layer: "mine",
    });
  });
});

describe("a step without a usable diff", () => {
  it("is reversed by what was kept of a binary", async () => {
    const image = Uint8Array.of(0xff, 0xfe, 0xfd, 0);
    await using made = await recordedRun({ files: { a: image } });
    await made.write("a", "text\n");

    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "applied" });
    expect(new Uint8Array(await readFile(join(made.root, "a")))).toEqual(image);
  });

  it("is no-hunk when nothing else tells what was there", async () => {
    await using made = await recordedRun({ files: { a: "1\n" } });
    await made.write("a", "x\n".repeat(600_000), 1);
    await made.write("a", "y\n".repeat(600_000), 2);

    expect(await rewindStep(made.store, made.run, 2)).toMatchObject({ type: "no-hunk", path: "a" });
    expect((await read(made, "a")).startsWith("y")).toBe(true);
  });

  it("is no-hunk when a secret is masked in it, and writes no marker into the file", async () => {
    const secret = "hunter2hunter2";
    await using made = await recordedRun({ files: { a: `${secret}\nrest\n` }, secrets: new Map([["KEY", secret]]) });
    await made.write("a", "none\nrest\n");

    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "no-hunk", path: "a" });
    await write(made, "a", "none\nrest\na person's\n");
    expect(await rewindStep(made.store, made.run, 1)).toMatchObject({ type: "no-hunk", path: "a" });
    expect(await read(made, "a")).toBe("none\nrest\na person's\n");
  });

  it("is no-hunk in an archived run, and for a step that changed no file", async () => {
    await using made = await edited();

    expect(await rewindStep(made.store, made.run, 9)).toMatchObject({ type: "no-hunk", path: null });
    archive(made);
    expect(await rewindStep(made.store, made.run, 2)).toMatchObject({ type: "no-hunk", path: "a" });
  });
});
