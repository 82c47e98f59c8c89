// What the other processes of tests are given: this package, and how to make and to verify the events that go into it.
export { genesis, redactor, seal, verifyTrace } from "@harness/spec";
export { sqliteStore } from "./index.js";
