// One file back to what was there before the run, or not touched, and then said why.
import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Policy } from "@harness/policy";
import { runId, sha256 } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { editFileTool } from "../tools/edit-file.js";
import { allowing, archive, type RecordedRun, recordedRun } from "./recorded-run.test-support.js";
import { rewind } from "./rewind.js";

const read = ({ root }: RecordedRun, path: string) => readFile(join(root, path), "utf8");
const isThere = ({ root }: RecordedRun, path: string) =>
  stat(join(root, path)).then(
    () => true,
    () => false,
  );

describe("rewind", () => {
  it("restores what was there before the run's first change, mode included", async () => {
    await using made = await recordedRun({ files: { "a.sh": "one\n" } });
    await chmod(join(made.root, "a.sh"), 0o750);
    await made.write("a.sh", "two\n");
    await made.make(editFileTool(), { path: "a.sh", search: "two", replace: "three" }, 2);

    expect(await rewind(made.store, made.run, "a.sh")).toEqual({ path: "a.sh", type: "restored" });

    expect(await read(made, "a.sh")).toBe("one\n");
    expect((await stat(join(made.root, "a.sh"))).mode & 0o777).toBe(0o750);
  });

  it("removes what the run created, and says the same when it is gone already", async () => {
    await using made = await recordedRun();
    await made.write("new/a", "a\n");

    expect(await rewind(made.store, made.run, "new/a")).toEqual({ path: "new/a", type: "removed" });
    expect(await isThere(made, "new/a")).toBe(false);
    expect(await rewind(made.store, made.run, "new/a")).toEqual({ path: "new/a", type: "removed" });
  });

  it("brings back bytes that are no text", async () => {
    const image = Uint8Array.of(0x89, 0x50, 0, 0xff, 0xfe);
    await using made = await recordedRun({ files: { "logo.png": image } });
    await made.write("logo.png", "gone");

    expect(await rewind(made.store, made.run, "logo.png")).toMatchObject({ type: "restored" });
    expect(new Uint8Array(await readFile(join(made.root, "logo.png")))).toEqual(image);
  });

  it("makes a folder again that is gone by now", async () => {
    await using made = await recordedRun({ files: { "src/a": "one\n" } });
    await made.write("src/a", "two\n");
    await rm(join(made.root, "src"), { recursive: true });

    expect(await rewind(made.store, made.run, "src/a")).toMatchObject({ type: "stale" });
    expect(await rewind(made.store, made.run, "src/a", { force: true })).toMatchObject({ type: "restored" });
    expect(await read(made, "src/a")).toBe("one\n");
  });

  it("is not recorded for a path that no tool of the run wrote to", async () => {
    await using made = await recordedRun({ files: { a: "a", b: "b" } });
    await made.write("a", "x");

    expect(await rewind(made.store, made.run, "b")).toEqual({ path: "b", type: "not-recorded" });
    expect(made.recorded("files.rewound")).toEqual([]);
  });

  it("takes what a stopped write meant to leave for the run's own", async () => {
    await using made = await recordedRun({ files: { a: "one\n" } });
    await made.write("a", "two\n");
    const act = { type: "write", target: "a", before: sha256("two\n"), after: sha256("three\n") } as const;
    const acts = [{ act, verdict: { effect: "allow" } }] as const;
    await made.record({ type: "tool.started", step: 2, call: "2.1" as never, acts });
    await writeFile(join(made.root, "a"), "three\n");

    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "restored" });
    expect(await read(made, "a")).toBe("one\n");
  });

  it("rejects for a run that is not there, and knows nothing of one that never started", async () => {
    await using made = await recordedRun();
    const never = runId("never");
    await made.store.create({ id: never, root: never, parent: null, createdAt: 1 });

    await expect(rewind(made.store, "nobody", "a")).rejects.toMatchObject({ code: "store-failed", kind: "missing" });
    expect(await rewind(made.store, never, "a")).toEqual({ path: "a", type: "not-recorded" });
  });
});

describe("a file that somebody changed since", () => {
  it("is stale and stays as it is, unless that is forced", async () => {
    await using made = await recordedRun({ files: { a: "one\n" } });
    await made.write("a", "two\n");
    await writeFile(join(made.root, "a"), "a person's\n");

    expect(await rewind(made.store, made.run, "a")).toEqual({ path: "a", type: "stale" });
    expect(await read(made, "a")).toBe("a person's\n");

    expect(await rewind(made.store, made.run, "a", { force: true })).toEqual({ path: "a", type: "restored" });
    expect(await read(made, "a")).toBe("one\n");
  });

  it("is stale when another run was it", async () => {
    await using made = await recordedRun({ files: { a: "one\n" } });
    await made.write("a", "two\n");
    const other = await recordedRun({ beside: made, id: "run-2" });
    await other.write("a", "three\n");

    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "stale" });
    expect(await rewind(other.store, other.run, "a")).toMatchObject({ type: "restored" });
    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "restored" });
    expect(await read(made, "a")).toBe("one\n");
  });
});

describe("what was not kept", () => {
  it.each([
    ["held a secret", "secret", undefined],
    ["was archived", "archived", archive],
    ["is lost to the store", "missing", ({ store }: RecordedRun) => store.kept.clear()],
    ["is not what its digest names", "unknown", damage],
    ["is in a state that a later version knows", "unknown", laterState],
  ] as const)("is left alone because it %s", async (_why, why, happens) => {
    const first = why === "missing" ? Uint8Array.of(0xff, 0) : "key=hunter2hunter2\n";
    const secrets = new Map(why === "secret" ? [["KEY", "hunter2hunter2"]] : []);
    await using made = await recordedRun({ files: { a: first }, secrets });
    await made.write("a", "two\n");
    happens?.(made);

    expect(await rewind(made.store, made.run, "a", { force: true })).toEqual({ path: "a", type: "not-kept", why });
    expect(await read(made, "a")).toBe("two\n");
  });

  it("is not taken for absent in an archived run", async () => {
    await using made = await recordedRun();
    await made.write("a", "one\n");
    archive(made);

    expect(await rewind(made.store, made.run, "a", { force: true })).toMatchObject({ why: "archived" });
    expect(await read(made, "a")).toBe("one\n");
  });
});

describe("the policy of an undoing", () => {
  const denying = new Policy().allowRead("*").layer("team").denyWrite("a").toJSON();
  const asking = new Policy().askWrite("*").toJSON();

  it.each([
    ["denies", denying, { effect: "deny", rule: "a", layer: "team" }],
    ["asks", asking, { effect: "ask", rule: "*", layer: "policy" }],
    ["denies by default", new Policy().toJSON(), { effect: "deny", rule: null, layer: null }],
  ] as const)("%s: nothing is restored or removed, and the rule is named", async (_effect, policy, says) => {
    await using made = await recordedRun({ files: { a: "one\n" }, policy });
    await made.write("a", "two\n");

    expect(await rewind(made.store, made.run, "a", { force: true })).toMatchObject({ type: "refused", ...says });
    expect(await read(made, "a")).toBe("two\n");
  });

  it("is the caller's where one is given", async () => {
    await using made = await recordedRun({ files: { a: "one\n" }, policy: denying });
    await made.write("a", "two\n");

    expect(await rewind(made.store, made.run, "a", { policy: Policy.permissive() })).toMatchObject({
      type: "restored",
    });
  });

  it("is the last driver's, with the rules that were remembered", async () => {
    await using made = await recordedRun({ files: { a: "one\n" }, policy: denying });
    await made.write("a", "two\n");
    await made.record({ type: "run.resumed", step: 1, policy: allowing } as never);
    const remember = [{ act: "write", effect: "deny", pattern: "a" }];
    await made.record({ type: "approval.decided", step: 1, remember } as never);
    await made.record({ type: "step.finished", step: 1, changed: true, ends: null });

    expect(await rewind(made.store, made.run, "a")).toMatchObject({ type: "refused", layer: "remembered" });
  });

  it("is refused by name when it cannot be used", async () => {
    await using made = await recordedRun();
    const policy = { layers: [], defaults: {} } as never;

    await expect(rewind(made.store, made.run, "a", { policy })).rejects.toMatchObject({ code: "config-invalid" });
  });
});

describe("a path that is not what it was", () => {
  it("is refused when it leaves the workspace through a link by now", async () => {
    await using made = await recordedRun({ files: { "src/a": "one\n" } });
    await made.write("src/a", "two\n");
    await rename(join(made.root, "src"), join(made.outside, "src"));
    await symlink(join(made.outside, "src"), join(made.root, "src"));

    const refused = { type: "refused", reason: expect.stringContaining("leaves the workspace") };
    expect(await rewind(made.store, made.run, "src/a", { force: true })).toMatchObject(refused);
    expect(await readFile(join(made.outside, "src/a"), "utf8")).toBe("two\n");
  });

  it("is refused when it leads to another file of the workspace", async () => {
    await using made = await recordedRun({ files: { a: "one\n", b: "two\n" } });
    await made.write("a", "two\n");
    await rm(join(made.root, "a"));
    await symlink("b", join(made.root, "a"));

    expect(await rewind(made.store, made.run, "a")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining('"b"'),
    });
    expect(await read(made, "b")).toBe("two\n");
  });

  it("is found under the name of a link that led to it", async () => {
    await using made = await recordedRun({ files: { real: "one\n" } });
    await symlink("real", join(made.root, "link"));
    await made.write("link", "two\n");

    expect(await rewind(made.store, made.run, "link")).toEqual({ path: "real", type: "restored" });
    expect(await read(made, "real")).toBe("one\n");
  });

  it("is refused when it climbs out", async () => {
    await using made = await recordedRun();

    expect(await rewind(made.store, made.run, "../x")).toMatchObject({ type: "refused", rule: null });
  });

  it("fails where a folder stands now, and where the file is write-protected", async () => {
    await using made = await recordedRun({ files: { a: "one\n", b: "one\n" } });
    await made.write("a", "two\n");
    await made.write("b", "two\n");
    await rm(join(made.root, "a"));
    await mkdir(join(made.root, "a"));
    await chmod(join(made.root, "b"), 0o444);

    expect(await rewind(made.store, made.run, "a", { force: true })).toMatchObject({ type: "failed" });
    expect(await rewind(made.store, made.run, "b")).toMatchObject({ type: "failed" });
    expect(await read(made, "b")).toBe("two\n");
  });
});

/** The words of the only `file.kept` are others. */
function damage({ store, run }: RecordedRun): void {
  changeKept({ store, run }, (event) => ({ ...event, content: '{"text":""}' }));
}

function laterState({ store, run }: RecordedRun): void {
  changeKept({ store, run }, (event) => ({
    ...event,
    facts: event.facts.replace('"state":"text"', '"state":"delta"'),
  }));
}

function changeKept(
  { store, run }: Pick<RecordedRun, "store" | "run">,
  change: (
    event: ReturnType<RecordedRun["store"]["eventsOf"]>[number],
  ) => ReturnType<RecordedRun["store"]["eventsOf"]>[number],
): void {
  const stream = store.eventsOf(run);
  const at = stream.findIndex(({ facts }) => facts.includes('"file.kept"'));
  const event = stream[at];
  if (event) stream[at] = change(event);
}
