import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { type Check, examineAll } from "./check.js";
import { fakeMachine } from "./machine.test-support.js";

const fine: Check = {
  title: "Fine",
  examine: async () => ({ findings: [{ status: "ok", name: "it", text: "is" }], facts: { is: true } }),
};

describe("examining a machine", () => {
  it("makes every check at once and keeps their order", async () => {
    const order: string[] = [];
    const noting = (title: string, turns: number): Check => ({
      title,
      async examine() {
        order.push(`${title} begins`);
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        order.push(`${title} ends`);
        return { findings: [], facts: {} };
      },
    });
    const sections = await examineAll([noting("slow", 9), noting("quick", 1)], fakeMachine());

    expect(order).toEqual(["slow begins", "quick begins", "quick ends", "slow ends"]);
    expect(sections.map(({ title }) => title)).toEqual(["slow", "quick"]);
  });

  it("loses nothing but its section to a check that fails", async () => {
    const broken: Check = { title: "Broken", examine: () => Promise.reject(new Error("No such thing.")) };
    const [first, second] = await examineAll([broken, fine], fakeMachine());

    expect(first).toMatchObject({
      title: "Broken",
      facts: { error: "No such thing." },
      findings: [{ status: "problem", text: "No such thing.", advice: expect.stringContaining("try again") }],
    });
    expect(second).toMatchObject({ title: "Fine", facts: { is: true } });
  });

  it("gives up a check that hangs, tells it to stop, and leaves no alarm", async () => {
    const clock = fakeClock();
    let stopped = false;
    const hanging: Check = {
      title: "Hanging",
      examine: ({ signal }) => new Promise(() => signal.addEventListener("abort", () => (stopped = true))),
    };
    const examined = examineAll([hanging, fine], fakeMachine({ clock }));
    await clock.untilWaiting();
    await clock.advance(60_000);

    expect(await examined).toMatchObject([
      { findings: [{ status: "problem", text: "no answer within 30 seconds" }] },
      { title: "Fine" },
    ]);
    expect(stopped).toBe(true);
    expect(clock.waiting).toBe(0);
  });
});
