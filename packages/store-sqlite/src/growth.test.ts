// What a store weighs: what is new is added, and nothing that is there already is kept again.
import { statSync } from "node:fs";
import { genesis, type RunEvent, redactor, seal } from "@harness/spec";
import { expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { drive, freshPath, run } from "./store.test-support.js";

/** Bytes of the file after a run of `steps` steps, each with an output of its own of 5 kB. */
async function bytesAfter(steps: number): Promise<number> {
  const path = freshPath();
  const store = sqliteStore({ path, durability: "process" });
  const lease = await drive(store);
  const redact = redactor();
  let head = genesis(run);
  for (let step = 1; step <= steps; step++) {
    const events = ["step.started", "run.replanned", "step.finished"].map((type) => {
      const content =
        type === "run.replanned" ? { content: { text: `${step} `.repeat(5_000 / `${step} `.length) } } : {};
      const { stored } = seal(head, { type, step, seq: head.seq + 1, at: step, ...content } as RunEvent, redact);
      head = stored;
      return stored;
    });
    await store.append(lease, run, events);
  }
  await store.close();
  return statSync(path).size;
}

it("grows with what is new, not with the length of the run", async () => {
  const [short, middle, long] = await Promise.all([bytesAfter(100), bytesAfter(200), bytesAfter(400)]);

  expect(middle / short).toBeLessThanOrEqual(2.1);
  expect(long / middle).toBeLessThanOrEqual(2.1);
  expect(long).toBeLessThan(400 * 5_000 * 1.3);
});

it("keeps an image of two megabytes once, however often it is read", async () => {
  const path = freshPath();
  const store = sqliteStore({ path, durability: "process" });
  const image = new Uint8Array(2 ** 21).map((_, index) => index % 251);

  for (let nth = 0; nth < 20; nth++) await store.blobs.put(image);
  await store.close();

  expect(statSync(path).size).toBeLessThan(1.2 * image.length);
});
