import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { limitsFrom, watchDeadlines } from "./deadlines.js";

const limits = limitsFrom({ totalMs: 1_000, connectMs: 10, firstByteMs: 100, idleMs: 50, lingerMs: 5 });

function watched() {
  const clock = fakeClock(0);
  const expired: [string, number][] = [];
  const watch = watchDeadlines(clock, limits, (deadline) => expired.push([deadline, clock.now()]));
  watch.start();
  return { clock, expired, watch };
}

describe("the deadlines of an attempt", () => {
  it("have defaults, and the first byte has as long as the whole unless it is told otherwise", () => {
    const longest = { totalMs: 600_000, connectMs: 10_000, firstByteMs: 600_000, idleMs: 300_000, lingerMs: 5_000 };

    expect(limitsFrom({})).toEqual(longest);
    expect(limitsFrom({ totalMs: 20 }).firstByteMs).toBe(20);
  });

  it.each([0, -1, Number.NaN])("refuse %d ms", (idleMs) => {
    expect(() => limitsFrom({ idleMs })).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });

  it("pass one after the other, each from where it counts", async () => {
    const first = watched();
    await first.clock.advance(2_000);
    expect(first.expired).toEqual([["connectMs", 10]]);

    const second = watched();
    second.watch.connected();
    await second.clock.advance(2_000);
    expect(second.expired).toEqual([["firstByteMs", 100]]);

    const third = watched();
    third.watch.connected();
    await third.clock.advance(60);
    third.watch.answered();
    await third.clock.advance(30);
    third.watch.received();
    await third.clock.advance(2_000);
    expect(third.expired).toEqual([["idleMs", 140]]);
  });

  it("give a body that does not begin no longer than a pause", async () => {
    const { clock, expired, watch } = watched();
    watch.connected();
    watch.answered();
    await clock.advance(2_000);

    expect(expired).toEqual([["idleMs", 50]]);
  });

  it("end a trickle that is never idle with the whole", async () => {
    const { clock, expired, watch } = watched();
    watch.connected();
    while (expired.length === 0) {
      watch.received();
      await clock.advance(20);
    }

    expect(expired).toEqual([["totalMs", 1_000]]);
  });

  it("wait for what comes behind the answer no longer than they linger, however much comes", async () => {
    const { clock, expired, watch } = watched();
    watch.connected();
    watch.received();
    watch.linger();
    await clock.advance(3);
    watch.received();
    watch.linger();
    await clock.advance(100);

    expect(expired).toEqual([["lingerMs", 5]]);
  });

  it("need one alarm, and none when they are stopped", async () => {
    const { clock, expired, watch } = watched();
    watch.connected();
    for (let at = 0; at < 10; at++) watch.received();
    expect(clock.waiting).toBe(1);
    watch.linger();
    expect(clock.waiting).toBe(1);
    watch.stop();
    await clock.advance(2_000);

    expect([clock.waiting, expired]).toEqual([0, []]);
  });

  it("need no alarm when all of them are endless", () => {
    const clock = fakeClock(0);
    const endless = { totalMs: Infinity, connectMs: Infinity, idleMs: Infinity, lingerMs: Infinity };
    watchDeadlines(clock, limitsFrom(endless), () => {}).start();

    expect(clock.waiting).toBe(0);
  });
});
