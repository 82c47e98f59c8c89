import assert from "node:assert/strict";
import test from "node:test";
import { formatClock, parseClock } from "../src/clock.js";

test("times of day are minutes since midnight", () => {
  assert.equal(parseClock("00:00"), 0);
  assert.equal(parseClock("09:30"), 570);
});

test("a time past midnight is a time of the next day", () => {
  assert.equal(formatClock(25 * 60), "01:00");
});

test("what is no time of day is refused", () => {
  assert.throws(() => parseClock("24:00"), /Not a time of day/);
});
