import assert from "node:assert/strict";
import test from "node:test";
import { startTimer } from "../src/timer.js";

test("the time left is counted in seconds", () => {
  let now = 0;
  const timer = startTimer("5m", () => now);
  assert.equal(timer.secondsLeft(), 300);
  now = 250_000;
  assert.equal(timer.secondsLeft(), 50);
});

test("a speaker is told in the last minute", () => {
  let now = 0;
  const timer = startTimer("2m", () => now);
  assert.equal(timer.shouldFinish(), false);
  now = 61_000;
  assert.equal(timer.shouldFinish(), true);
});
