import type { RunId } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { asks, log, started } from "./render/log.test-support.js";
import { fakeTerminal } from "./terminal.test-support.js";
import { watchRun } from "./watch-run.js";

const run = "run-1" as RunId;
const clear = "\r\x1b[2K";

describe("watching a run on a terminal", () => {
  it("keeps one line at the bottom, out of the way of what is settled", async () => {
    const clock = fakeClock(0);
    const terminal = fakeTerminal({ isTTY: true, env: { NO_COLOR: "1" }, clock });
    const view = watchRun(terminal);
    const [first, second] = log(started, { type: "step.started", step: 1 });
    if (first) view.observer.onEvent(run, first);
    await clock.advance(100);
    const before = terminal.printed().length;
    if (second) view.observer.onEvent(run, second);
    await clock.advance(100);

    expect(terminal.printed().slice(before)).toBe(`${clear}\nStep 1 · at 1.0 s\n${clear}step 1 of 12, 180 ms · …`);
    view.close();
  });

  it("rewrites that line at most a dozen times a second, however fast deltas come", async () => {
    const clock = fakeClock(0);
    const terminal = fakeTerminal({ isTTY: true, clock });
    const view = watchRun(terminal);
    for (let delta = 0; delta < 1_000; delta += 1) view.onLive({ type: "text", step: 1, text: "word " });
    await clock.advance(100);

    expect(terminal.printed().split(clear)).toHaveLength(2);
    view.close();
  });

  it("goes on counting seconds while nothing happens, and stops when it is closed", async () => {
    const clock = fakeClock(0);
    const terminal = fakeTerminal({ isTTY: true, clock });
    const view = watchRun(terminal);
    view.onLive({ type: "text", step: 1, text: "word" });
    await clock.advance(3_500);
    const drawn = terminal.printed().split(clear).length;
    view.close();
    view.onLive({ type: "text", step: 1, text: "word" });
    await clock.advance(3_500);

    expect(drawn).toBe(5);
    expect(terminal.printed().endsWith(clear)).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it("shows colours there, unless it is told not to", () => {
    const shown = (env: Record<string, string>) => {
      const terminal = fakeTerminal({ isTTY: true, env });
      const view = watchRun(terminal);
      for (const event of log(started)) view.observer.onEvent(run, event);
      view.close();
      return terminal.printed().replaceAll(clear, "");
    };

    expect(shown({})).toContain("\x1b[");
    expect(shown({ NO_COLOR: "1" })).not.toContain("\x1b[");
    expect(shown({ TERM: "dumb" })).not.toContain("\x1b[");
  });
});

describe("watching a run where nobody looks", () => {
  it("writes lines and nothing else", () => {
    const terminal = fakeTerminal({ isTTY: false });
    const view = watchRun(terminal);
    for (const event of log(started, { type: "step.started", step: 1 })) view.observer.onEvent(run, event);
    view.onLive({ type: "text", step: 1, text: "word" });
    view.close();

    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that must not be there.
    expect(terminal.printed()).not.toMatch(/[\x1b\r]/);
    expect(terminal.printed()).toContain("Step 1 · at 1.0 s\n");
  });

  it("understands what follows by the history it is given, and does not repeat that", () => {
    const terminal = fakeTerminal();
    const history = log(started, { type: "step.started", step: 1 }, asks(1, { name: "exec" }));
    const view = watchRun(terminal, { history });

    expect(terminal.printed()).toBe("");
    expect(view.timeline.calls).toMatchObject([{ name: "exec" }]);
    expect(view.hasSeenEvents).toBe(false);
  });
});
