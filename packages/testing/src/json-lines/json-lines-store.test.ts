// The suite, on a store that has nothing in common with SQLite, and what a crash may leave of such a store's files.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyTrace } from "@harness/spec";
import { expect, it, onTestFinished } from "vitest";
import { collect } from "../store/observe.js";
import { drive, replanned, stepStarted } from "../store/stream.js";
import { describeStore } from "../store.js";
import { jsonLinesStore } from "./json-lines-store.test-support.js";

describeStore("a store of JSON lines", { open: jsonLinesStore, survivesReopen: true, follows: true });

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "harness-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in which two batches were appended, and the only file of its trees. */
async function written() {
  const folder = freshFolder();
  const store = jsonLinesStore(folder);
  const { run, lease, log } = await drive(store);
  await store.append(lease, run, log.next(stepStarted(1)));
  await store.append(lease, run, log.next(replanned("Ü 👍"), stepStarted(2)));
  await store.close();
  const trees = join(folder, "trees");
  return { folder, run, lease, log, file: join(trees, readdirSync(trees)[0] ?? "") };
}

it("goes on behind a last line that was cut off anywhere", async () => {
  const { folder, run, lease, log, file } = await written();
  const whole = readFileSync(file);
  const lines = whole.toString().trim().split("\n").filter(Boolean);
  const lastLength = Buffer.byteLength(lines.at(-1) ?? "") + 1;

  for (let cut = 1; cut <= lastLength; cut += 7) {
    writeFileSync(file, whole.subarray(0, whole.length - cut));
    const store = jsonLinesStore(folder);
    expect(await collect(store.read(run))).toEqual(log.all.slice(0, 1));

    const again = await store.acquire(run, lease.owner, 600_000);
    const kept = (await collect(store.read(run))).length;
    await store.append(again, run, log.all.slice(kept));
    await store.close();

    const other = jsonLinesStore(folder);
    expect(await collect(other.read(run))).toEqual(log.all);
    expect(await verifyTrace(other, run, log.head.hash)).toMatchObject({ type: "verified" });
    await other.close();
  }
});

it("says that it is damaged when a line in the middle is", async () => {
  const { folder, run, file } = await written();
  const lines = readFileSync(file, "utf8").split("\n");
  const first = lines.findIndex((line) => line.includes('"events"'));
  writeFileSync(file, lines.with(first, "{}}").join("\n"));

  await expect(collect(jsonLinesStore(folder).read(run))).rejects.toMatchObject({
    code: "store-failed",
    kind: "corrupt",
  });
});

it("does not mind what another crash left between the lines", async () => {
  const { folder, run, lease, log, file } = await written();
  appendFileSync(file, '\n{"id":"torn","lease":{"root":"run-1","own');
  const store = jsonLinesStore(folder);

  await store.append(lease, run, log.next(stepStarted(3)));

  expect(await collect(store.read(run))).toEqual(log.all);
});
