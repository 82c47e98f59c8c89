import { describe, expect, it } from "vitest";
import { countingIds, fakeClock } from "./index.js";

describe("fakeClock", () => {
  it("stands still until it is advanced", async () => {
    const clock = fakeClock(1_000);

    expect(clock.now()).toBe(1_000);
    await clock.advance(250);
    expect(clock.now()).toBe(1_250);
  });

  it("wakes sleepers in the order they are due, each at its own time", async () => {
    const clock = fakeClock(0);
    const woken: string[] = [];
    const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push(`${name} at ${clock.now()}`));

    const all = Promise.all([sleep("late", 300), sleep("early", 100), sleep("also early", 100)]);
    await clock.advance(299);
    expect(woken).toEqual(["early at 100", "also early at 100"]);
    expect(clock.waiting).toBe(1);
    await clock.advance(1);
    await all;

    expect(woken.at(-1)).toBe("late at 300");
    expect(clock.waiting).toBe(0);
  });

  it("counts a sleep begun on waking from that moment", async () => {
    const clock = fakeClock(0);
    const times: number[] = [];
    const loop = (async () => {
      for (let nth = 0; nth < 4; nth += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    })();

    await clock.advance(100);
    await loop;

    expect(times).toEqual([10, 20, 30, 40]);
    expect(clock.slept).toEqual([10, 10, 10, 10]);
    expect(clock.now()).toBe(100);
  });

  it("rejects with the signal's reason and wakes nobody who left", async () => {
    const clock = fakeClock(0);
    const stop = new AbortController();

    const asleep = clock.sleep(100, { signal: stop.signal });
    stop.abort("no more");

    await expect(asleep).rejects.toBe("no more");
    await expect(clock.sleep(100, { signal: stop.signal })).rejects.toBe("no more");
    expect(clock.waiting).toBe(0);
  });

  it("is not hurt by a signal that fires after waking", async () => {
    const clock = fakeClock(0);
    const stop = new AbortController();
    const asleep = clock.sleep(5, { signal: stop.signal });

    await clock.advance(5);
    stop.abort("too late");

    await expect(asleep).resolves.toBeUndefined();
  });

  it("rings an alarm once, when it is due, unless it was taken back", async () => {
    const clock = fakeClock(0);
    const rung: string[] = [];
    clock.alarm(10, () => rung.push(`first at ${clock.now()}`));
    const cancel = clock.alarm(20, () => rung.push("never"));

    await clock.advance(10);
    cancel();
    await clock.advance(100);

    expect(rung).toEqual(["first at 10"]);
    expect(clock.waiting).toBe(0);
  });

  it("tells when somebody waits", async () => {
    const clock = fakeClock(0);
    const both = clock.untilWaiting(2);
    void clock.sleep(10);
    let isBoth = false;
    void both.then(() => {
      isBoth = true;
    });
    await clock.advance(0);
    expect(isBoth).toBe(false);

    clock.alarm(10, () => {});

    await both;
    await clock.untilWaiting();
    await clock.advance(10);
  });

  it("lets sleeps pass by themselves when asked to, shorter ones first, and alarms with them", async () => {
    const clock = fakeClock(0, { autoAdvance: true });
    const log: string[] = [];
    clock.alarm(200, () => log.push(`alarm at ${clock.now()}`));
    clock.alarm(9_000, () => log.push("never"));

    await Promise.all([
      clock.sleep(500).then(() => log.push(`long at ${clock.now()}`)),
      clock.sleep(100).then(() => log.push(`short at ${clock.now()}`)),
    ]);

    expect(log).toEqual(["short at 100", "alarm at 200", "long at 500"]);
    expect(clock.now()).toBe(500);
    expect(clock.waiting).toBe(1);
  });

  it("can be stopped while it advances by itself", async () => {
    const clock = fakeClock(0, { autoAdvance: true });
    const stop = new AbortController();

    const asleep = clock.sleep(100, { signal: stop.signal });
    stop.abort("no more");

    await expect(asleep).rejects.toBe("no more");
  });
});

describe("countingIds", () => {
  it("counts runs and owners apart", () => {
    const ids = countingIds();
    const others = countingIds("demo");

    expect([ids.run(), ids.run(), ids.owner(), ids.owner()]).toEqual(["run-1", "run-2", "run-owner-1", "run-owner-2"]);
    expect([others.run(), others.owner()]).toEqual(["demo-1", "demo-owner-1"]);
  });
});
