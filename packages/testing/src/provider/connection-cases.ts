// Promises about connections: none, one that breaks, and one that says nothing until a deadline has passed.
import { expect } from "vitest";
import { failureOf, until } from "./observe.js";
import type { Cases } from "./subject.js";
import { vendorServer } from "./vendor-server.js";
import { inEvents } from "./wires/framing.js";

const answer = { text: ["Half ", "an ", "answer."] };
const broken = { kind: "transport", isRetryable: true };
const late = { kind: "timeout", isRetryable: true };

export const connectionCases: Cases = {
  "calls a port that nobody listens on a failure of transport": async ({ openAt, ask }) => {
    const gone = await vendorServer();
    await gone.close();
    const provider = await openAt(`${gone.origin}/v1`);

    expect(await failureOf(ask({}, { provider }))).toMatchObject({ ...broken, provider: provider.name });
  },

  "calls a host that has no address a failure of transport": async ({ openAt, ask }) => {
    const provider = await openAt("http://no-such-host.invalid/v1");

    expect(await failureOf(ask({}, { provider }))).toMatchObject(broken);
  },

  "calls a port that speaks something else a failure of transport": async ({ vendor, openAt, ask }) => {
    const provider = await openAt(`${vendor.origin.replace("http:", "https:")}/v1`);

    expect(await failureOf(ask({}, { provider }))).toMatchObject(broken);
  },

  "calls a connection that breaks before the answer a failure of transport": async ({ vendor, ask }) => {
    vendor.answer({ type: "reset" });

    expect(await failureOf(ask())).toMatchObject(broken);
  },

  "calls a connection that breaks in the middle of the answer a failure of transport": async ({ wire, send, ask }) => {
    const events = wire.events(answer).slice(0, 3);
    for (const ending of ["cut", "reset"] as const) {
      send(events, { ending });
      expect(await failureOf(ask())).toMatchObject(broken);
    }
  },

  "answers again when the connection that it had is gone": async ({ vendor, speak, ask }) => {
    speak(answer);
    await ask();
    vendor.answer({ type: "reset" });
    await failureOf(ask());
    speak(answer);

    expect(await ask()).toMatchObject({ text: "Half an answer." });
  },
};

/** For a provider that keeps the deadlines it is given. */
export const deadlineCases: Cases = {
  "gives up on a vendor that takes the request and says nothing": async ({ vendor, open, ask }) => {
    for (const deadlines of [{ firstByteMs: 60 }, { totalMs: 60 }]) {
      vendor.answer({ type: "silence" });
      expect(await failureOf(ask({}, { provider: await open(deadlines) }))).toMatchObject(late);
    }
    await until("the connections were closed", () => vendor.unfinished === 0);
  },

  "gives up on a vendor that falls silent in the middle": async ({ vendor, wire, send, open, ask }) => {
    const provider = await open({ idleMs: 60 });
    for (const count of [0, 3]) {
      send(wire.events(answer).slice(0, count), { ending: "hold" });
      expect(await failureOf(ask({}, { provider }))).toMatchObject(late);
    }
    await until("the connections were closed", () => vendor.unfinished === 0);
  },

  "gives up on a refusal whose body does not end": async ({ vendor, open, ask }) => {
    const provider = await open({ idleMs: 60, totalMs: 5_000 });
    vendor.answer({ type: "stream", status: 429, text: '{"error":', ending: "hold" });

    expect(["timeout", "rate-limited"]).toContain((await failureOf(ask({}, { provider }))).kind);
    await until("the connections were closed", () => vendor.unfinished === 0);
  },

  "takes a comment for a sign of life, and not for an answer": async ({ vendor, wire, open, ask }) => {
    const events = wire.events(answer);
    const [text, rest] = [inEvents(events.slice(0, 3)), inEvents(events.slice(3))];
    vendor.answer({ type: "stream", text, late: { comments: 40, text: rest } });
    expect(await ask({}, { provider: await open({ idleMs: 600 }) })).toMatchObject({ text: "Half an answer." });

    vendor.answer({ type: "stream", text, ending: "comments" });
    expect(await failureOf(ask({}, { provider: await open({ totalMs: 150 }) }))).toMatchObject(late);
    await until("the connections were closed", () => vendor.unfinished === 0);
  },

  "waits for counts behind an answer that is whole, and not for ever": async ({ wire, send, open, ask }) => {
    const provider = await open({ lingerMs: 60, idleMs: 20_000 });
    send(wire.withoutEnd(answer) ?? wire.events(answer), { ending: "hold" });

    expect(await ask({}, { provider })).toMatchObject({ text: "Half an answer.", usage: { promptTokens: 11 } });
  },
};
