import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { onAbort } from "./on-abort.js";

describe("onAbort", () => {
  it("tells everyone who still hangs on the signal, once and in order", () => {
    const stop = new AbortController();
    const told: string[] = [];
    onAbort(stop.signal, () => told.push("first"));
    const leave = onAbort(stop.signal, () => told.push("gone"));
    onAbort(stop.signal, () => told.push("last"));
    leave();
    stop.abort();

    expect(told).toEqual(["first", "last"]);
  });

  it("tells those who came before someone left as the first is told", () => {
    const stop = new AbortController();
    const told: string[] = [];
    const leave = onAbort(stop.signal, () => {
      told.push("first");
      leave();
    });
    onAbort(stop.signal, () => told.push("second"));
    stop.abort();

    expect(told).toEqual(["first", "second"]);
  });

  it("has one listener on the signal for all, until the last has left", () => {
    const { signal } = new AbortController();
    const leaving = [1, 2, 3].map(() => onAbort(signal, () => {}));
    const counts = leaving.map((leave) => {
      const { length } = getEventListeners(signal, "abort");
      leave();
      return length;
    });

    expect(counts).toEqual([1, 1, 1]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("lets nobody take another along by leaving twice", () => {
    const stop = new AbortController();
    const told: string[] = [];
    const leave = onAbort(stop.signal, () => told.push("first"));
    leave();
    onAbort(stop.signal, () => told.push("second"));
    leave();
    stop.abort();

    expect(told).toEqual(["second"]);
  });

  it("keeps signals apart", () => {
    const [here, there] = [new AbortController(), new AbortController()];
    const told: string[] = [];
    onAbort(here.signal, () => told.push("here"));
    onAbort(there.signal, () => told.push("there"));
    here.abort();

    expect(told).toEqual(["here"]);
  });
});
