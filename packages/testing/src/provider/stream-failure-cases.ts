// Promises about streams that go wrong behind a status of 200: half an answer is no answer.
import type { ProviderError } from "@harness/spec";
import { expect } from "vitest";
import { failureOf, watcher } from "./observe.js";
import type { Cases, Subject } from "./subject.js";
import { inEvents } from "./wires/framing.js";
import type { NamedFailure } from "./wires/wire.js";

const answer = {
  text: ["Half ", "an ", "answer."],
  calls: [{ id: "call_1", name: "read_file", input: '{"path":"a"}' }],
};
const retryable: Readonly<Record<NamedFailure, boolean>> = {
  server: true,
  "rate-limited": true,
  quota: false,
  "context-overflow": false,
  auth: false,
  request: false,
};

/** The events of an answer up to, and with, its first words. */
function opening({ wire }: Subject): readonly string[] {
  const events = wire.events(answer);
  return events.slice(0, events.findIndex((payload) => payload.includes("Half ")) + 1);
}

async function failed({ ask }: Subject): Promise<ProviderError & { readonly streamed: string | null }> {
  const { onDelta, text } = watcher();
  const error = await failureOf(ask({}, { onDelta }));
  return Object.assign(error, { streamed: text() });
}

const named = Object.entries(retryable) as readonly [NamedFailure, boolean][];

const namedFailures: Cases = Object.fromEntries(
  named.map(([kind, isRetryable]) => [
    `calls a failure in a stream ${kind} when the vendor does, first or later`,
    async (subject: Subject) => {
      const { wire, send } = subject;
      const failure = wire.failure({ code: wire.codes[kind], message: "The vendor gives up." });
      const expected = {
        kind,
        isRetryable,
        vendorCode: wire.codes[kind],
        message: expect.stringContaining("gives up"),
      };

      send(failure);
      expect(await failed(subject)).toMatchObject({ ...expected, streamed: null });
      send([...opening(subject), ...failure]);
      expect(await failed(subject)).toMatchObject({ ...expected, streamed: "Half " });
    },
  ]),
);

export const streamFailureCases: Cases = {
  ...namedFailures,

  "calls a failure that nobody knows a failure of the server": async (subject) => {
    subject.send([...opening(subject), ...subject.wire.failure({ code: "something_new", message: "Oh." })]);

    expect(await failed(subject)).toMatchObject({ kind: "server", isRetryable: true, vendorCode: "something_new" });
  },

  "keeps what a failed attempt used: it is billed": async (subject) => {
    const { wire, send } = subject;
    send(wire.billedFailure({ code: wire.codes.server, message: "Oh." }, { prompt: 90, completion: 4 }));

    expect((await failed(subject)).usage).toMatchObject({ promptTokens: 90, completionTokens: 4 });
  },

  "does not take an answer that stops in the middle for one": async (subject) => {
    const events = subject.wire.events(answer);
    const whole = subject.wire.withoutEnd(answer) ?? events;
    const finish = whole.findIndex((payload) => /"(finish_reason|stop_reason)":"|response\.completed/.test(payload));
    for (let count = 0; count < finish; count += 1) {
      subject.send(events.slice(0, count));
      expect(await failed(subject)).toMatchObject({ kind: "malformed", isRetryable: true });
    }
  },

  "does not take an answer that stops in the middle of an event for one": async (subject) => {
    const text = inEvents(opening(subject));
    subject.vendor.answer({ type: "stream", text: text.slice(0, text.lastIndexOf("Half") + 2) });

    expect(await failed(subject)).toMatchObject({ kind: "malformed", isRetryable: true });
  },

  "does not pass over an event that is JSON and cannot be read": async (subject) => {
    const events = subject.wire.events(answer);
    const text = `${inEvents(events.slice(0, 3))}data: {"lost\n\n${inEvents(events.slice(3))}`;
    subject.vendor.answer({ type: "stream", text });

    expect(await failed(subject)).toMatchObject({ kind: "malformed", isRetryable: true });
  },

  "does not take a stream without content for an answer": async (subject) => {
    for (const text of ["", "\n\n", ": nothing\n\n", "data: [DONE]\n\n"]) {
      subject.vendor.answer({ type: "stream", text });
      expect(await failed(subject)).toMatchObject({ kind: "malformed", isRetryable: true });
    }
  },

  "does not take a body that is no answer for one": async (subject) => {
    for (const body of ["", "{", "null", "[]", "OK", "<html><body>It works!</body></html>"]) {
      subject.vendor.answer({ type: "body", body });
      expect(await failed(subject)).toMatchObject({ kind: "malformed", isRetryable: true });
    }
  },

  "reads a failure that comes as a body with status 200": async (subject) => {
    const { wire, vendor } = subject;
    const body = wire.failureBody({ code: wire.codes["rate-limited"], message: "The vendor gives up." });
    vendor.answer({ type: "body", body });

    expect(await failed(subject)).toMatchObject({ kind: "rate-limited", vendorCode: wire.codes["rate-limited"] });
  },
};
