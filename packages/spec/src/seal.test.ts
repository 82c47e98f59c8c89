import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chain, genesis, type RunEvent, redactor, runId, seal, sha256, typeOf, unseal } from "./index.js";

const run = runId("run-1");
const clean = redactor();
const envelope = new Set(["type", "seq", "step", "at", "content"]);
const viaJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** Facts have names, and a name does not look like a number. */
const factName = fc.string().filter((name) => !envelope.has(name) && !/^\d+$/.test(name));

/** An event of a known type with any facts and any content. What the types say of both is not `seal`'s business. */
const anyEvent = fc
  .record({
    type: fc.constantFrom("tool.finished", "step.started", "run.finished"),
    seq: fc.integer({ min: 1 }),
    step: fc.nat(),
    at: fc.nat(),
    facts: fc.dictionary(factName, fc.jsonValue()),
    content: fc.option(fc.jsonValue(), { nil: undefined }),
  })
  .map(({ facts, content, ...stamp }) => {
    const event = { ...stamp, ...facts, ...(content === undefined ? {} : { content }) };
    // JSON knows no -0; what cannot be written is not asked for.
    return viaJson(event) as unknown as RunEvent;
  });

describe("seal", () => {
  it("gives back through unseal any event with any content", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const sealed = seal(genesis(run), event, clean);

        deepStrictEqual(unseal(sealed.stored), event);
        expect(sealed.event).toBe(event);
        expect(typeOf(sealed.stored)).toBe(event.type);
      }),
    );
  });

  it("hashes the text that it stores, behind the head it was given", () => {
    fc.assert(
      fc.property(anyEvent, fc.string(), (event, before) => {
        const head = { seq: event.seq - 1, hash: sha256(before) };

        const { stored } = seal(head, event, clean);

        expect(stored.seq).toBe(event.seq);
        expect(stored.contentHash).toBe(stored.content === null ? null : sha256(stored.content));
        expect(stored.hash).toBe(chain(head.hash, stored.facts, stored.contentHash));
      }),
    );
  });

  it("keeps the facts apart from the words, beginning with the type", () => {
    const event: RunEvent = {
      at: 1_000,
      type: "message.sent",
      seq: 7,
      step: 2,
      message: "run-1/2.1" as never,
      to: run,
      content: { text: "words" },
    };

    const { stored } = seal(genesis(run), event, clean);

    expect(stored.facts).toMatch(/^\{"type":"message\.sent",/);
    expect(unseal({ ...stored, content: null })).toEqual({ ...event, content: undefined });
    expect(stored.content).toBe('{"text":"words"}');
  });

  it("has no content to hash where the event has none", () => {
    const { stored } = seal(genesis(run), { type: "step.started", seq: 1, step: 1, at: 5 }, clean);

    expect(stored).toMatchObject({ content: null, contentHash: null });
  });

  it("chains each event to all before it", () => {
    const one: RunEvent = { type: "step.started", seq: 1, step: 1, at: 5 };
    const two: RunEvent = { type: "step.started", seq: 2, step: 2, at: 5 };
    const hashOf = (...events: readonly RunEvent[]) =>
      events.reduce((head, event) => seal(head, event, clean).stored, genesis(run)).hash;

    const hashes = [hashOf(one), hashOf(two), hashOf(one, two), hashOf(two, one), hashOf(one, one)];

    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("starts every run's chain elsewhere", () => {
    expect(genesis(run)).toEqual({ seq: 0, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(genesis(run).hash).not.toBe(genesis(runId("run-2")).hash);
  });

  it("stores the event that a reader will see: redacted, in facts, content and keys", () => {
    const event: RunEvent = {
      type: "mcp.failed",
      seq: 1,
      step: 1,
      at: 5,
      server: "hunter2hunter2",
      phase: "call",
      content: { message: "hunter2hunter2 was refused", hunter2hunter2: true } as never,
    };

    const sealed = seal(genesis(run), event, redactor(new Map([["DB_PASSWORD", "hunter2hunter2"]])));

    expect(JSON.stringify(sealed)).not.toContain("hunter2hunter2");
    expect(sealed.event).toMatchObject({
      server: "[redacted:DB_PASSWORD]",
      content: { message: "[redacted:DB_PASSWORD] was refused", "[redacted:DB_PASSWORD]": true },
    });
    deepStrictEqual(unseal(sealed.stored), sealed.event);
  });
});

describe("unseal", () => {
  it("reads the content from a blob where there is one", () => {
    const event: RunEvent = {
      type: "mcp.failed",
      seq: 1,
      step: 1,
      at: 5,
      server: "s",
      phase: "call",
      content: { message: "m" },
    };
    const { stored } = seal(genesis(run), event, clean);

    expect(unseal({ ...stored, content: null }, stored.content)).toEqual(event);
    expect(unseal({ ...stored, content: null })).toEqual({ ...event, content: undefined });
  });

  it("throws for text that was never sealed", () => {
    const stored = { seq: 1, facts: '{"type":"step', content: null, contentHash: null, hash: sha256("") };

    expect(() => unseal(stored)).toThrow(SyntaxError);
  });
});
