import { describe, expect, it } from "vitest";
import { isStandardSchema, systemClock } from "./index.js";

describe("systemClock", () => {
  it("sleeps, and is not hurt by a signal that fires afterwards", async () => {
    const stop = new AbortController();

    await systemClock().sleep(1, { signal: stop.signal });
    stop.abort(new Error("too late"));
    await systemClock().sleep(-5);
  });

  it("wakes with the signal's reason", async () => {
    const stop = new AbortController();
    const asleep = systemClock().sleep(1_000_000, { signal: stop.signal });

    stop.abort("enough");

    await expect(asleep).rejects.toBe("enough");
    await expect(systemClock().sleep(0, { signal: stop.signal })).rejects.toBe("enough");
  });

  it("outlasts a short sleep when asked to wait longer than a timer can hold", async () => {
    const clock = systemClock();
    const stop = new AbortController();
    const long = clock.sleep(Number.MAX_SAFE_INTEGER, { signal: stop.signal }).then(
      () => "long",
      () => "stopped",
    );

    const first = await Promise.race([long, clock.sleep(20).then(() => "short")]);
    stop.abort();

    expect([first, await long]).toEqual(["short", "stopped"]);
  });

  it("rings an alarm unless it is taken back", async () => {
    const clock = systemClock();
    const rung: string[] = [];
    const cancel = clock.alarm(1, () => rung.push("cancelled"));
    cancel();

    await new Promise<void>((resolve) => {
      clock.alarm(5, () => {
        rung.push("rung");
        resolve();
      });
    });

    expect(rung).toEqual(["rung"]);
  });
});

describe("isStandardSchema", () => {
  it("tells a schema that validates from one that describes", () => {
    const validate = (value: unknown) => ({ value });

    expect(isStandardSchema({ "~standard": { version: 1, vendor: "test", validate } })).toBe(true);
    expect(isStandardSchema({ type: "object" })).toBe(false);
  });
});
