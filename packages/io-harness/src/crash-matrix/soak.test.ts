// Real processes, killed from outside at any moment, again and again: in the middle of a transaction, of a write, of a start. Whatever
// they had come to, the run ends as if nobody had killed anything. Not a part of the ordinary tests, because it is as good as it is long.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gapsIn } from "./canonical.test-support.js";
import { longRun } from "./long-run.test-support.js";
import { comparable } from "./matrix.test-support.js";
import { type Attempt, type Played, play } from "./play.test-support.js";
import { carryOut } from "./processes.test-support.js";
import { programInFolder } from "./program.test-support.js";
import { randomFrom } from "./random.test-support.js";
import type { Scenario } from "./scenario.test-support.js";
import { scenarios } from "./scenarios.test-support.js";

const seconds = Number(process.env.HARNESS_CRASH_SOAK ?? 0);
const seed = Number(process.env.HARNESS_CRASH_SEED ?? Date.now() % 1_000_000);
const longestMs = (seconds + 600) * 1_000;

const made = programInFolder();
const random = randomFrom(seed);

interface Whole {
  readonly played: Played;
  /** How long each of its processes took, in ms. */
  readonly took: readonly number[];
}

async function playWhole(scenario: Scenario, folder: string): Promise<Whole> {
  const took: number[] = [];
  const attempt: Attempt = async (order) => {
    const startedAt = performance.now();
    const ended = await carryOut(made.program, order);
    took.push(performance.now() - startedAt);
    return ended;
  };
  return { played: await play(scenario, folder, attempt), took };
}

/** Kills the first `most` processes of each stage within a `part` of what its process took when nobody killed it. */
function playKilled(scenario: Scenario, folder: string, took: Whole["took"], most: number, part: number) {
  const attempt: Attempt = (order, stage, nth) => {
    const killAfterMs = random() * (took[stage] ?? 0) * part;
    return carryOut(made.program, order, nth > most ? undefined : killAfterMs);
  };
  return play(scenario, folder, attempt);
}

/** What can be said of a run whose processes may have died between an effect and the line that counts it. */
function compared(played: Played, gaps: ReturnType<typeof gapsIn>): object {
  const isCounted = (line: string) => !/ (?:write|edit|patch)_file$/.test(line);
  const isTemporary = (path: string) => /(?:^|\/)\.harness-[0-9a-f]{16}\.tmp$/.test(path);
  return {
    ...comparable(played, gaps),
    effects: played.effects.filter(isCounted),
    countedTwice: played.effects.filter((line, at, lines) => lines.indexOf(line) !== at),
    files: Object.fromEntries(Object.entries(played.files).filter(([path]) => !isTemporary(path))),
    isBroken: played.checks.includes("broken"),
  };
}

function expectSame(killed: Played, { played }: Whole, where: string): void {
  const gaps = gapsIn(killed.events);
  expect(compared(killed, gaps), where).toEqual(compared(played, gaps));
}

describe.skipIf(!(seconds > 0))("a run killed at random [as long as HARNESS_CRASH_SOAK says, in seconds]", () => {
  it(
    "comes to the same end whatever it does",
    async () => {
      const wholes = new Map<Scenario, Whole>();
      const until = performance.now() + seconds * 1_000;
      let rounds = 0;
      let kills = 0;
      for (; performance.now() < until; rounds += 1) {
        const at = Math.floor(random() * scenarios.length);
        const scenario = scenarios[at] as Scenario;
        const folder = join(made.folder, String(at));
        const whole = wholes.get(scenario) ?? (await playWhole(scenario, folder));
        wholes.set(scenario, whole);
        const killed = await playKilled(scenario, folder, whole.took, 1 + Math.floor(random() * 4), 1.1);
        kills += killed.kills;
        expectSame(killed, whole, `seed ${seed}, round ${rounds}, ${scenario.name}`);
      }
      console.log(`Seed ${seed}: ${rounds} runs killed ${kills} times.`);
    },
    longestMs,
  );

  it(
    "comes to the same end after twenty deaths in 250 steps",
    async () => {
      const folder = join(made.folder, "long");
      const whole = await playWhole(longRun, folder);
      const killed = await playKilled(longRun, folder, whole.took, 20, 0.3);
      expectSame(killed, whole, `seed ${seed}`);
      expect(killed.kills).toBeGreaterThan(0);
      console.log(`Seed ${seed}: a run of 250 steps killed ${killed.kills} times.`);
    },
    longestMs,
  );
});
