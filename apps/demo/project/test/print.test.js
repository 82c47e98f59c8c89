import assert from "node:assert/strict";
import test from "node:test";
import { printAgenda } from "../src/print.js";

test("each talk is a line", () => {
  const agenda = [{ title: "Opening", start: "09:00", end: "09:45" }];
  assert.equal(printAgenda(agenda), "09:00–09:45  Opening");
});
