import { memoryStore } from "@harness/core";
import { runId, verifyTrace } from "@harness/spec";
import { expect, it } from "vitest";
import { appendAtMoments, type Moment } from "./append-at-moments.js";

it("appends a run that verifies, and tells in order when each of its events was durable", async () => {
  const store = memoryStore();
  const moments: Moment[] = [];

  await appendAtMoments(store, runId("followed"), 3, (moment) => moments.push(moment));

  expect(await verifyTrace(store, runId("followed"))).toMatchObject({
    type: "verified",
    head: { seq: 4 },
    isFinished: true,
  });
  expect(moments.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(moments).toEqual(moments.toSorted((a, b) => a.atMs - b.atMs));
});
