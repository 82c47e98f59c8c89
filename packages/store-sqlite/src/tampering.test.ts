// What an auditor relies on: a stored event that was changed, dropped or moved by hand is found.

import { type NewEvent, verifyTrace } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { bare, drive, freshPath, run, sealed } from "./store.test-support.js";

const events: readonly NewEvent[] = [
  { type: "step.started", step: 1 },
  { type: "run.replanned", step: 1, nth: 1, content: { text: "Change course." } },
  { type: "step.finished", step: 1, changed: true, ends: null },
  { type: "step.started", step: 2 },
];

/** Verifies a stored run after `sql` was done to its file. */
async function checkAfter(sql: string) {
  const path = freshPath();
  const store = sqliteStore({ path });
  await store.append(await drive(store), run, sealed(events));
  await store.close();
  bare(path).exec(sql);
  await using again = sqliteStore({ path });
  return await verifyTrace(again, run, sealed(events).at(-1)?.hash);
}

describe("verifyTrace over a SQLite store", () => {
  it("accepts what was recorded", async () => {
    expect(await checkAfter("select 1")).toMatchObject({ type: "verified", head: { seq: 4 }, emptied: 0 });
  });

  it("accepts content that was emptied, and counts it", async () => {
    expect(await checkAfter("update events set content = null")).toMatchObject({ type: "verified", emptied: 1 });
  });

  it.each([
    [
      "one character of the facts is changed",
      "update events set facts = replace(facts, 'true', 'trUe') where seq = 3",
      3,
    ],
    ["one character of the content is changed", "update events set content = replace(content, 'course', 'coarse')", 2],
    ["a row in the middle is deleted", "delete from events where seq = 2", 3],
    [
      "two rows are exchanged",
      "update events set seq = 7 - seq + 100 where seq in (3, 4); update events set seq = seq - 100 where seq > 100",
      3,
    ],
    ["the tail is cut", "delete from events where seq = 4", 3],
    ["the first row is deleted", "delete from events where seq = 1", 2],
  ])("finds that %s", async (_what, sql, seq) => {
    expect(await checkAfter(sql)).toMatchObject({ type: "broken", seq });
  });
});
