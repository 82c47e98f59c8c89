import assert from "node:assert/strict";
import test from "node:test";
import { parseDuration } from "../src/duration.js";

test("hours, minutes and seconds add up", () => {
  assert.equal(parseDuration("1h30m"), parseDuration("90m"));
  assert.equal(parseDuration("1m30s"), parseDuration("90s"));
});

test("what is no length of time is refused", () => {
  for (const text of ["", "soon", "30m1h", "-5m"]) {
    assert.throws(() => parseDuration(text), /Not a length of time/);
  }
});
