// Real processes, killed at every place where a run makes something durable or has done something that it has not recorded yet. A
// new process goes on, and then nothing tells that there were two: neither the trace, nor what was spent, nor the world.
import { join } from "node:path";
import type { RunEvent } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gapsIn } from "./canonical.test-support.js";
import type { KillPoint } from "./kill-switch.test-support.js";
import { type Cut, comparable, cutsOf, fairShare, spread } from "./matrix.test-support.js";
import { type Attempt, type Played, play } from "./play.test-support.js";
import { atMost, carryOut } from "./processes.test-support.js";
import { programInFolder } from "./program.test-support.js";
import type { Scenario } from "./scenario.test-support.js";
import { scenarios } from "./scenarios.test-support.js";

/** Kill points that are tried in all; with HARNESS_CRASH_ALL=1 it is every one that there is. */
const wanted = process.env.HARNESS_CRASH_ALL === "1" ? Number.POSITIVE_INFINITY : 520;
const longestMs = 1_800_000;

const everything: readonly RunEvent["type"][] = [
  "approval.decided",
  "question.answered",
  "plan.decided",
  "act.refused",
  "tool.finished",
  "file.kept",
  "completion.failed",
  "sandbox.finished",
  "gate.finished",
  "gate.unprotected",
  "run.stalled",
  "run.replanned",
  "run.paused",
  "run.resumed",
  "files.rewound",
  "workspace.shared",
  "run.finished",
];

const made = programInFolder();
const twoAtOnce = atMost(2);
const startedAt = performance.now();
const uncut = new Map<string, Played>();
let share = 0;
let kills = 0;

const folderOf = (scenario: Scenario) => join(made.folder, String(scenarios.indexOf(scenario)));

beforeAll(async () => {
  await Promise.all(
    scenarios.map(async (scenario) => {
      const attempt: Attempt = (order) => twoAtOnce(() => carryOut(made.program, order));
      uncut.set(scenario.name, await play(scenario, folderOf(scenario), attempt));
    }),
  );
  share = fairShare(
    [...uncut.values()].map((whole) => cutsOf(whole).length),
    wanted,
  );
}, longestMs);

function chosen(whole: Played): readonly Cut[] {
  return spread(cutsOf(whole), share);
}

/** The process that goes on from every third cut is killed as well, at one of the first places that it passes. */
function playCut(scenario: Scenario, { stage, site, side }: Cut, nth: number): Promise<Played> {
  const kills: readonly KillPoint[] = [{ site, side }, ...(nth % 3 === 0 ? [{ site: (nth / 3) % 8, side }] : [])];
  const attempt: Attempt = (order, at, attempts) => {
    const kill = at === stage ? kills[attempts - 1] : undefined;
    return twoAtOnce(() => carryOut(made.program, kill ? { ...order, kill } : order));
  };
  return play(scenario, folderOf(scenario), attempt, stage);
}

describe("a run that is killed", () => {
  it("is killed at 500 points, and more", () => {
    expect([...uncut.values()].flatMap(chosen).length).toBeGreaterThanOrEqual(500);
  });

  it("has passed everything that a run can do", () => {
    const types = new Set([...uncut.values()].flatMap(({ events }) => events.map(({ type }) => type)));
    const passed = [...uncut.values()].flatMap(({ sites }) => sites.flat().map(({ label }) => label));
    expect(everything.filter((type) => !types.has(type))).toEqual([]);
    expect(passed).toContain("keep a blob");
  });

  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "comes to the same end from every moment: %s",
    async (_name, scenario) => {
      const whole = uncut.get(scenario.name) as Played;
      expect(whole).toMatchObject({ result: { outcome: { type: scenario.ends } }, checks: ["verified"] });
      const cuts = chosen(whole);
      let missed = 0;
      for (const [nth, cut] of cuts.entries()) {
        const played = await playCut(scenario, cut, nth);
        const gaps = gapsIn(played.events);
        expect(played.checks, cut.where).not.toContain("broken");
        expect(comparable(played, gaps), cut.where).toEqual(comparable(whole, gaps));
        kills += played.kills;
        if (played.kills === 0) missed += 1;
      }
      // Reads side by side share their appends as they happen to end, so that a point may not come again.
      expect(missed / cuts.length).toBeLessThan(0.2);
    },
    longestMs,
  );
});

afterAll(() => {
  const cuts = [...uncut.values()].flatMap(chosen).length;
  const points = [...uncut.values()].flatMap(cutsOf).length;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(
    `${kills} kills, at ${cuts} of ${points} points in ${scenarios.length} scripted runs and behind them: ${seconds} s.`,
  );
});
