import assert from "node:assert/strict";
import test from "node:test";
import { planAgenda } from "../src/agenda.js";

const talks = [
  { title: "Opening", length: "45m" },
  { title: "Queues without tears", length: "1h30m" },
  { title: "Closing", length: "20m" },
];

test("talks follow one another, with breaks between them", () => {
  assert.deepEqual(planAgenda(talks, { startsAt: "09:00", breakMinutes: 15 }), [
    { title: "Opening", start: "09:00", end: "09:45" },
    { title: "Queues without tears", start: "10:00", end: "11:30" },
    { title: "Closing", start: "11:45", end: "12:05" },
  ]);
});

test("an agenda without talks is empty", () => {
  assert.deepEqual(planAgenda([], { startsAt: "09:00" }), []);
});
