import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { openScopes, within } from "./scope.js";

const never = () => new Promise<never>(() => {});

describe("scopes", () => {
  it("share one alarm, and stop each at its own deadline", async () => {
    const clock = fakeClock(0);
    const scopes = openScopes(clock);
    const opened = [300, 100, 200, 100].map((ms) => scopes.open(ms));
    expect(clock.waiting).toBe(1);

    const stopped: unknown[] = [];
    for (const ms of [99, 1, 100, 100]) {
      await clock.advance(ms);
      stopped.push(opened.map((scope) => scope.stopped ?? "open"));
    }

    expect(stopped).toEqual([
      ["open", "open", "open", "open"],
      ["open", "deadline", "open", "deadline"],
      ["open", "deadline", "deadline", "deadline"],
      ["deadline", "deadline", "deadline", "deadline"],
    ]);
    expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true]);
  });

  it("do not stop one that was closed in time", async () => {
    const clock = fakeClock(0);
    const scope = openScopes(clock).open(100);
    scope.close();
    await clock.advance(100);

    expect([scope.stopped, scope.signal.aborted]).toEqual([undefined, false]);
  });

  it("stop all that are open, and every one that is opened later, for the first reason given", () => {
    const scopes = openScopes(fakeClock(0));
    const early = scopes.open(100);
    scopes.stopAll("cancelled", "enough");
    scopes.stopAll("store-failed", "no disk");
    const late = scopes.open(100);

    expect([early, late].map(({ stopped, signal }) => [stopped, signal.reason])).toEqual([
      ["cancelled", "enough"],
      ["cancelled", "enough"],
    ]);
  });

  it("let a deadline stand still while it is held, and run on afterwards", async () => {
    const clock = fakeClock(0);
    const scope = openScopes(clock).open(100);
    await clock.advance(60);
    const goOn = scope.hold();
    await clock.advance(1_000);
    expect(scope.stopped).toBeUndefined();
    goOn();
    await clock.advance(39);
    expect(scope.stopped).toBeUndefined();
    await clock.advance(1);

    expect(scope.stopped).toBe("deadline");
  });

  it("stay stopped when a hold ends after they were stopped", async () => {
    const clock = fakeClock(0);
    const scopes = openScopes(clock);
    const scope = scopes.open(100);
    const goOn = scope.hold();
    scopes.stopAll("cancelled", "enough");
    goOn();
    await clock.advance(1_000);

    expect([scope.stopped, scope.signal.reason]).toEqual(["cancelled", "enough"]);
  });

  it("let two holds of one scope overlap: it stands still until both have ended", async () => {
    const clock = fakeClock(0);
    const scope = openScopes(clock).open(100);
    const first = scope.hold();
    const second = scope.hold();
    await clock.advance(500);
    first();
    await clock.advance(500);
    expect(scope.stopped).toBeUndefined();
    second();
    await clock.advance(99);
    expect(scope.stopped).toBeUndefined();
    await clock.advance(1);

    expect(scope.stopped).toBe("deadline");
  });

  it("leave no alarm behind when they are closed", () => {
    const clock = fakeClock(0);
    const scopes = openScopes(clock);
    scopes.open(100);
    scopes.close();

    expect(clock.waiting).toBe(0);
  });
});

describe("within", () => {
  it("gives what the work gives, or throws, at once or later", async () => {
    const clock = fakeClock(0);
    const scopes = openScopes(clock);
    const settle = (work: () => unknown) => within(scopes.open(100), clock, 10, work);
    const error = new Error("no");

    expect(await settle(() => 1)).toEqual({ type: "value", value: 1 });
    expect(await settle(async () => 2)).toEqual({ type: "value", value: 2 });
    expect(await settle(() => Promise.reject(error))).toEqual({ type: "error", error });
    const throwing = () => {
      throw error;
    };
    expect(await settle(throwing)).toEqual({ type: "error", error });
  });

  it("waits for stopped work as long as the grace, and then no longer", async () => {
    const clock = fakeClock(0);
    const scope = openScopes(clock).open(100);
    const settled: unknown[] = [];
    void within(scope, clock, 10, never).then((how) => settled.push(how));
    await clock.advance(109);
    expect(settled).toEqual([]);
    await clock.advance(1);

    expect(settled).toEqual([{ type: "abandoned" }]);
  });

  it("takes what stopped work still gives within the grace, and leaves no alarm", async () => {
    const clock = fakeClock(0);
    const scopes = openScopes(clock);
    const scope = scopes.open(100);
    const settled = within(scope, clock, 10, async () => {
      await new Promise<void>((resolve) => scope.signal.addEventListener("abort", () => resolve()));
      return "late";
    });
    await clock.advance(100);

    expect(await settled).toEqual({ type: "value", value: "late" });
    expect(clock.waiting).toBe(0);
  });
});
