// Promises about a signal that fires: nothing more happens, whenever it fires, and only then is the failure called `cancelled`.
import { getEventListeners } from "node:events";
import type { Delta } from "@harness/spec";
import { expect } from "vitest";
import { failureOf, until, watcher } from "./observe.js";
import type { Cases } from "./subject.js";

const answer = { text: ["One ", "two ", "three."] };
const cancelled = { kind: "cancelled", isRetryable: false };

export const abortCases: Cases = {
  "sends nothing when the signal has fired before": async ({ vendor, speak, ask }) => {
    speak(answer);

    expect(await failureOf(ask({}, { signal: AbortSignal.abort() }))).toMatchObject(cancelled);
    expect(vendor.taken).toEqual([]);
  },

  "lets go of a vendor that says nothing": async ({ vendor, ask }) => {
    const stop = new AbortController();
    vendor.answer({ type: "silence" });
    const failure = failureOf(ask({}, { signal: stop.signal }));
    await until("the request arrived", () => vendor.taken.length === 1);
    stop.abort();

    expect(await failure).toMatchObject(cancelled);
    await until("the connection was closed", () => vendor.unfinished === 0);
  },

  "lets go in the middle of an answer, and tells its watcher nothing more": async ({ vendor, wire, send, ask }) => {
    const stop = new AbortController();
    const { deltas, onDelta } = watcher();
    send(wire.events(answer).slice(0, 3), { ending: "comments" });
    const failure = failureOf(ask({}, { signal: stop.signal, onDelta }));
    await until("the first words arrived", () => deltas.length > 0);
    const count = deltas.length;
    stop.abort(new Error("the user had enough"));

    expect(await failure).toMatchObject(cancelled);
    await until("the connection was closed", () => vendor.unfinished === 0);
    expect(deltas).toHaveLength(count);
  },

  "tells its watcher nothing more when the watcher itself fires the signal": async ({ speak, ask }) => {
    const stop = new AbortController();
    const deltas: Delta[] = [];
    speak(answer);
    const onDelta = (delta: Delta) => {
      deltas.push(delta);
      stop.abort();
    };

    expect(await failureOf(ask({}, { signal: stop.signal, onDelta }))).toMatchObject(cancelled);
    expect(deltas).toHaveLength(1);
  },

  "keeps a completion that was there before the signal fired": async ({ speak, ask }) => {
    const stop = new AbortController();
    speak(answer);
    const completion = await ask({}, { signal: stop.signal });
    stop.abort();

    expect(completion).toMatchObject({ text: "One two three." });
  },

  "leaves no listener on the signal": async ({ vendor, speak, ask }) => {
    const { signal } = new AbortController();
    speak(answer);
    await ask({}, { signal });
    vendor.answer({ type: "body", status: 500, body: "{}" });
    await failureOf(ask({}, { signal }));
    vendor.answer({ type: "reset" });
    await failureOf(ask({}, { signal }));

    await until("the listeners were gone", () => getEventListeners(signal, "abort").length === 0);
  },
};
