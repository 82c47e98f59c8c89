// The demo, killed where it hurts. What it waits for is seen in its store and in what it starts, never guessed by the clock.

import type { RunEvent, RunEventType } from "@harness/spec";
import { describe, expect, it } from "vitest";
import {
  demo,
  type Home,
  hangingWrite,
  harness,
  isBuilt,
  quickNpm,
  type Running,
  temporaryHome,
  until,
} from "./processes.test-support.js";

const minutes = 60_000;
const has = (type: RunEventType, step: number) => (events: readonly RunEvent[]) =>
  events.some((event) => event.type === type && event.step === step);

/** Kills `running` and lets the binary go on; what is in the log must be there once, and be what it was. */
async function killAndResume(home: Home, running: Running, path: Readonly<Record<string, string>>) {
  running.child.kill("SIGKILL");
  await running.ended;
  const before = await home.events();
  const id = await home.untilLog(() => true);
  const resumed = await home.start([harness, "resume", id], path).ended;
  const after = await home.events();

  expect(resumed.code, resumed.output).toBe(0);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ type: "run.finished", ending: { type: "success" } });
  expect(positions(after, "completion.finished")).toEqual(["1", "2", "3", "4", "5"]);
  expect(positions(after, "tool.finished")).toEqual(["1.1", "2.1", "3.1", "3.2", "4.1", "4.2", "5.1", "5.2"]);
  expect((await home.start([harness, "verify", id]).ended).code).toBe(0);
  return { before, after, output: resumed.output };
}

/** Steps, or calls, of which the log says that they were finished, as often as it says so. */
function positions(events: readonly RunEvent[], type: "completion.finished" | "tool.finished"): readonly string[] {
  return events
    .flatMap((event) => (event.type === type ? ["call" in event ? String(event.call) : String(event.step)] : []))
    .sort();
}

describe.skipIf(!isBuilt)("the demo, killed (skipped where dist/ is not built: run `npm run build`)", () => {
  it(
    "in a completion, asks for it again",
    async () => {
      using home = temporaryHome();
      const { env } = quickNpm(home);
      const running = home.start([demo], { ...env, HARNESS_DEMO_PACE_MS: "600000" });
      await home.untilLog(has("completion.started", 1));

      const { output } = await killAndResume(home, running, env);

      expect(output).toContain("interrupted: the completion of step 1; it is asked for again");
    },
    2 * minutes,
  );

  it.each([
    ["before the file is there", "before", "it had not taken effect, so it is made again"],
    ["once the file is there", "after", "it had taken effect, so it is not repeated"],
  ] as const)(
    "in a write, %s, finds out by looking and goes on",
    async (_where, when, said) => {
      using home = temporaryHome();
      const { env } = quickNpm(home);
      const hanging = hangingWrite(home, "duration.js", when);
      const running = home.start([...hanging.args, demo], { ...env, ...hanging.env });
      await until(hanging.isReached);
      await home.untilLog(has("tool.started", 4));

      const { output, after } = await killAndResume(home, running, env);

      expect(output).toContain("interrupted: call 4.1, edit_file (write src/duration.js)");
      expect(output).toContain(said);
      expect(after.filter(({ type }) => type === "recovery.decided")).toMatchObject([{ call: "4.1", by: "probe" }]);
    },
    2 * minutes,
  );

  it(
    "in a command that may be repeated, makes it again",
    async () => {
      using home = temporaryHome();
      const npm = quickNpm(home, "test -- test/agenda.test.js");
      const running = home.start([demo], npm.env);
      await until(npm.isReached);
      await home.untilLog((events) => events.some((event) => event.type === "tool.started" && event.call === "4.2"));
      running.child.kill("SIGKILL");
      await running.ended;

      const { output } = await killAndResume(home, running, npm.release().env);

      expect(output).toContain("interrupted: call 4.2, exec");
      expect(output).toContain("it may be repeated, so it is made again");
    },
    2 * minutes,
  );

  it(
    "in its check, runs it again",
    async () => {
      using home = temporaryHome();
      const npm = quickNpm(home, "test");
      const running = home.start([demo], npm.env);
      await until(npm.isReached);
      await home.untilLog(has("gate.started", 1));
      running.child.kill("SIGKILL");
      await running.ended;

      const { output } = await killAndResume(home, running, npm.release().env);

      expect(output).toContain("interrupted: the check of step 1; it is run again");
    },
    2 * minutes,
  );

  it.each([9, 23, 41])(
    "when its log has %i events, goes on to the same end",
    async (count) => {
      using home = temporaryHome();
      const { env } = quickNpm(home);
      const running = home.start([demo], env);
      await home.untilLog((events) => events.length >= count);

      await killAndResume(home, running, env);
    },
    2 * minutes,
  );
});
