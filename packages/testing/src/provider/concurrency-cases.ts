// Promises about calls at the same time on one provider: none of them knows of another.
import { expect } from "vitest";
import { failureOf, until, watcher } from "./observe.js";
import type { Cases, Subject } from "./subject.js";
import type { TakenRequest } from "./vendor-server.js";
import { inEvents } from "./wires/framing.js";

const count = 24;

/** Answers each request with the number that its last words hold. */
function echo({ vendor, wire }: Subject): void {
  vendor.answer((request) => {
    const number = numberIn(request);
    const answer = { text: ["You ", "said ", number], usage: { prompt: Number(number) + 1, completion: 1 } };
    return { type: "stream", text: inEvents(wire.events(answer)), bytesPerChunk: 16 };
  });
}

function numberIn({ body }: TakenRequest): string {
  return /number-(\d+)/.exec(body)?.[1] ?? "";
}

function asking(number: number) {
  return { messages: [{ role: "user", text: `number-${number}` }] } as const;
}

export const concurrencyCases: Cases = {
  "gives each of many callers its own answer": async (subject) => {
    echo(subject);
    const numbers = Array.from({ length: count }, (_, index) => index);
    const said = await Promise.all(
      numbers.map(async (number) => {
        const { onDelta, text } = watcher();
        const completion = await subject.ask(asking(number), { onDelta });
        return { text: completion.text, streamed: text(), promptTokens: completion.usage?.promptTokens };
      }),
    );

    const expected = numbers.map((number) => `You said ${number}`);
    expect(said).toEqual(expected.map((text, number) => ({ text, streamed: text, promptTokens: number + 1 })));
  },

  "goes on with the others when one is cancelled": async (subject) => {
    const { vendor, wire, ask } = subject;
    const stop = new AbortController();
    vendor.answer((request) =>
      numberIn(request) === "0"
        ? { type: "silence" }
        : { type: "stream", text: inEvents(wire.events({ text: ["Fine."] })), bytesPerChunk: 8 },
    );
    const lost = failureOf(ask(asking(0), { signal: stop.signal }));
    await until("the request arrived", () => vendor.taken.length === 1);
    const others = [1, 2, 3, 4].map((number) => ask(asking(number)));
    stop.abort();

    expect(await lost).toMatchObject({ kind: "cancelled" });
    expect((await Promise.all(others)).map(({ text }) => text)).toEqual(["Fine.", "Fine.", "Fine.", "Fine."]);
  },

  "goes on with the others when one fails": async (subject) => {
    const { vendor, wire, ask } = subject;
    vendor.answer((request) =>
      Number(numberIn(request)) % 2 === 0
        ? { type: "reset" }
        : { type: "stream", text: inEvents(wire.events({ text: ["Fine."] })) },
    );
    const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, number) => ask(asking(number))));

    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(outcomes.map((_, number) => number % 2 === 1));
  },
};
