// Promises about bytes: a stream says the same however it is framed and wherever it is split.
import { expect } from "vitest";
import { watcher } from "./observe.js";
import type { Cases, Subject } from "./subject.js";
import { framings, inEvents } from "./wires/framing.js";
import { answeringModel } from "./wires/wire.js";

const tools = [{ name: "read_file", description: "Reads.", parameters: { type: "object" } }];
const answer = {
  text: ["naïve — ", "日本", "語 😀", "\n\r\n end"],
  calls: [{ id: "call_1", name: "read_file", input: '{"path":"docs/é—b.md","find":"\\ud83d\\ude00 }"}' }],
};
const splits = [undefined, 1, 2, 3, 7, 64];

async function heardAlike({ vendor, ask }: Subject, text: string, sizes = splits): Promise<void> {
  for (const bytesPerChunk of sizes) {
    const { onDelta, text: streamed } = watcher();
    vendor.answer({ type: "stream", text, ...(bytesPerChunk !== undefined && { bytesPerChunk }) });
    const completion = await ask({ tools }, { onDelta });

    expect(completion).toMatchObject({ text: answer.text.join(""), model: answeringModel, stop: "tool-calls" });
    expect(completion.calls).toMatchObject([{ arguments: { path: "docs/é—b.md", find: "😀 }" } }]);
    expect(streamed()).toBe(completion.text);
  }
}

const framed: Cases = Object.fromEntries(
  Object.entries(framings).map(([title, framing]) => [
    `reads a stream with ${title}, however it is split`,
    (subject: Subject) => heardAlike(subject, inEvents(subject.wire.events(answer), framing)),
  ]),
);

export const framingCases: Cases = {
  ...framed,

  "reads a last event that nothing follows, not even a line end": async ({ vendor, wire, ask }) => {
    const events = wire.withoutEnd(answer) ?? wire.events(answer);
    vendor.answer({ type: "stream", text: inEvents(events, { isUnterminated: true }) });

    expect(await ask({ tools })).toMatchObject({
      stop: "tool-calls",
      usage: { promptTokens: 11, completionTokens: 7 },
    });
  },

  "passes over events of a type that it does not know": async (subject) => {
    const { events, unknown } = subject.wire;
    const payloads = events(answer).flatMap((payload) => [unknown, payload]);

    await heardAlike(subject, inEvents(payloads), [undefined, 7]);
  },

  "passes over a payload that is no JSON and never was": async (subject) => {
    const payloads = subject.wire.events(answer).flatMap((payload) => ["keep-alive", payload]);

    await heardAlike(subject, inEvents(payloads, { nameOf: () => undefined }), [undefined, 7]);
  },

  "is done when the answer is, although the connection stays open": async ({ speak, ask, vendor }) => {
    speak({ text: ["Done."] }, { ending: "hold" });

    expect(await ask()).toMatchObject({ text: "Done." });
    // Not asserted: whether the connection is kept. Closing the vendor closes it.
    expect(vendor.taken).toHaveLength(1);
  },

  "takes an answer whose end mark is missing for whole": async ({ wire, send, ask }) => {
    const events = wire.withoutEnd(answer) ?? wire.events(answer);
    send(events);

    expect(await ask({ tools })).toMatchObject({ text: answer.text.join(""), stop: "tool-calls" });
  },
};
