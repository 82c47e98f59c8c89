import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resume } from "../run/resume.js";
import { memoryStore } from "../store/memory-store.js";
import { canonical } from "./canonical.test-support.js";
import {
  checked,
  drive,
  driveOn,
  dyingStore,
  eventsOf,
  optionsFor,
  plant,
  rowsOf,
  theRun,
} from "./runs.test-support.js";
import { type Scenario, scenarios } from "./scenarios.test-support.js";
import { emptyWorld, type World, worldAt } from "./world.test-support.js";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "harness-cut-"));
});
afterAll(() => rm(root, { recursive: true }));

async function uncut(scenario: Scenario) {
  const world = emptyWorld();
  const store = memoryStore();
  const { outcome } = await drive(scenario, world, store, root);
  return { world, store, outcome, rows: await rowsOf(store), events: await eventsOf(store) };
}

/** Calls that are finished in the kept part, which nothing may make again. */
function finishedIn(events: Awaited<ReturnType<typeof eventsOf>>): readonly string[] {
  return events.flatMap((event) => (event.type === "tool.finished" ? [event.call] : []));
}

describe.each(scenarios)("$name", (scenario) => {
  it("ends as it should when nobody cuts it", async () => {
    const whole = await uncut(scenario);
    expect(whole.outcome.type).toBe(scenario.ends);
    expect(await checked(whole.store)).toBe("verified");
  });

  it.each([false, true])(
    "goes on to the same end from every event, what was under way having happened: %s",
    async (started) => {
      const whole = await uncut(scenario);
      const expected = canonical(whole.events);
      for (let kept = 1; kept < whole.rows.length; kept += 1) {
        const prefix = whole.events.slice(0, kept);
        const world = worldAt(prefix, started);
        const store = memoryStore();
        await plant(store, whole.rows.slice(0, kept));

        const { outcome } = await driveOn(scenario, world, store);

        const where = `cut behind event ${kept}, ${prefix[kept - 1]?.type}`;
        expect(outcome, where).toEqual(whole.outcome);
        expect(canonical(await eventsOf(store)), where).toEqual(expected);
        expect(await checked(store), where).toBe("verified");
        expect(
          finishedIn(prefix).filter((call) => world.made.has(call)),
          where,
        ).toEqual([]);
        expect([...world.sent].sort(), where).toEqual([...whole.world.sent].sort());
      }
    },
  );

  it.each(["before", "after"] as const)("survives a death %s every write", async (when) => {
    const whole = await uncut(scenario);
    const expected = canonical(whole.events);
    for (let nth = 1; ; nth += 1) {
      let now = 0;
      const world = emptyWorld();
      const inner = memoryStore({ now: () => now });
      const dying = dyingStore(inner, nth, when);
      const died = await drive(scenario, world, dying, root).then(
        () => false,
        () => true,
      );
      if (!died) break;
      now += 1e9;
      if ((await rowsOf(inner)).length === 0) continue;
      recountFailures(world, await eventsOf(inner));

      const { outcome } = await driveOn(scenario, world, inner);

      const where = `died ${when} write ${nth}`;
      expect(outcome, where).toEqual(whole.outcome);
      expect(canonical(await eventsOf(inner)), where).toEqual(expected);
      expect(await checked(inner), where).toBe("verified");
      expect([...world.sent].sort(), where).toEqual([...whole.world.sent].sort());
      for (const [call, times] of world.made) expect(times, `${where}: call ${call}`).toBeLessThanOrEqual(2);
    }
  });

  it("appends nothing when a run that has ended is resumed", async () => {
    const { store, outcome, world, rows } = await uncut(scenario);
    if (outcome.type === "budget") return;
    const again = await resume(theRun, optionsFor(scenario, world, store));
    expect(again.outcome).toEqual(outcome);
    expect(await rowsOf(store)).toEqual(rows);
  });
});

/** A failure that never became durable did not happen as far as the log knows, and is made again. */
function recountFailures(world: World, events: Awaited<ReturnType<typeof eventsOf>>): void {
  world.failures.clear();
  for (const event of events) if (event.type === "completion.failed") world.failures.set(event.step, 1);
}
