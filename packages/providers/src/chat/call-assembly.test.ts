import type { JsonObject } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decoded, finished, fragments } from "./chat.test-support.js";

/** The calls that these chunks, each a list of fragments, come to. */
function callsOf(...chunks: readonly (readonly JsonObject[])[]) {
  return decoded([...chunks.map((calls) => fragments(...calls)), finished]).completion.calls;
}

function part(name: string | null, written?: unknown, beside: JsonObject = {}): JsonObject {
  return { ...beside, function: { name, arguments: written as string } };
}

describe("fragments of calls", () => {
  it("with two ids at one index are two calls", () => {
    expect(
      callsOf([part("a", '{"x":1}', { index: 0, id: "1" })], [part("b", '{"x":2}', { index: 0, id: "2" })]),
    ).toEqual([
      { name: "a", arguments: { x: 1 }, vendorId: "1" },
      { name: "b", arguments: { x: 2 }, vendorId: "2" },
    ]);
  });

  it("with one id at two indexes are two calls, of which the second has none", () => {
    const head = [part("a", "", { index: 0, id: "1" }), part("a", "", { index: 1, id: "1" })];
    const tail = [part(null, '{"x":2}', { index: 1, id: "1" }), part(null, '{"x":1}', { index: 0, id: "1" })];

    expect(callsOf(head, tail)).toEqual([
      { name: "a", arguments: { x: 1 }, vendorId: "1" },
      { name: "a", arguments: { x: 2 } },
    ]);
  });

  it.each(["", "null", null])("with the id %j and an empty name go on with the call at their index", (id) => {
    expect(callsOf([part("a", '{"x"', { index: 0, id: "1" })], [part("", ":1}", { index: 0, id })])).toEqual([
      { name: "a", arguments: { x: 1 }, vendorId: "1" },
    ]);
  });

  it("may bring the name and the id last", () => {
    expect(callsOf([part(null, '{"x":', { index: 3 })], [part("a", "1}", { index: 3, id: "1" })])).toEqual([
      { name: "a", arguments: { x: 1 }, vendorId: "1" },
    ]);
  });

  it("may begin with the index 1", () => {
    expect(callsOf([part("a", "{}", { index: 1, id: "1" })], [part(null, "", { index: 1 })])).toEqual([
      { name: "a", arguments: {}, vendorId: "1" },
    ]);
  });

  it("without id and index are a call each where each is whole", () => {
    expect(callsOf([part("a", '{"x":1}')], [part("a", '{"x":2}')], [part("b", '{"x":3}')])).toEqual([
      { name: "a", arguments: { x: 1 } },
      { name: "a", arguments: { x: 2 } },
      { name: "b", arguments: { x: 3 } },
    ]);
  });

  it("without id and index go on with the call that is open", () => {
    expect(callsOf([part("a", '{"x":')], [part("a", '{"y"')], [part(null, ":1}}")])).toEqual([
      { name: "a", arguments: { x: { y: 1 } } },
    ]);
  });

  it("begin a new call under an id of their own where the one before has none", () => {
    expect(callsOf([part("a", '{"x":1}')], [part("b", '{"x":2}', { id: "2" })])).toEqual([
      { name: "a", arguments: { x: 1 } },
      { name: "b", arguments: { x: 2 }, vendorId: "2" },
    ]);
  });

  it("reach the call whose head came under the index before", () => {
    const heads = [part("a", '{"x":1}', { index: 0, id: "1" }), part("b", "", { index: 0, id: "2" })];

    expect(callsOf(heads, [part(null, '{"x":', { index: 1 })], [part(null, "2}", { index: 1 })])).toEqual([
      { name: "a", arguments: { x: 1 }, vendorId: "1" },
      { name: "b", arguments: { x: 2 }, vendorId: "2" },
    ]);
  });

  it("that belong to no call are dropped, and nothing else with them", () => {
    expect(
      callsOf([part("a", '{"x":1}', { index: 0, id: "1" })], [part(null, '{"stray":1}', { index: 7 }), 5 as never]),
    ).toEqual([{ name: "a", arguments: { x: 1 }, vendorId: "1" }]);
  });
});

describe("the arguments of a call", () => {
  it.each<[unknown, JsonObject]>([
    [undefined, {}],
    ["", {}],
    ["  ", {}],
    [null, {}],
    ["null", {}],
    ["{}", {}],
    [{ a: 1 }, { a: 1 }],
    ['{}{"a":1}', { a: 1 }],
    ['{ } {"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{"a":"}"}', { a: "}" }],
    ['{"a":"👩‍👩‍👧 𠀀"}', { a: "👩‍👩‍👧 𠀀" }],
  ])("%j are an object", (written, object) => {
    expect(callsOf([part("a", written)])).toEqual([{ name: "a", arguments: object }]);
  });

  it.each(["[1]", "5", '{"a":', '"text"', '{"a":1}{"b":2}'])(
    "%s are none, and stay as they were written",
    (written) => {
      expect(callsOf([part("a", written)])).toEqual([{ name: "a", arguments: null, invalidArguments: written }]);
    },
  );

  it("stay what they are when white space follows", () => {
    expect(callsOf([part("a", '{"x":1}', { index: 0 })], [part(null, " \n", { index: 0 })])).toEqual([
      { name: "a", arguments: { x: 1 } },
    ]);
  });

  it("that come as an object are all there is", () => {
    expect(callsOf([part("a", "{", { index: 0 })], [part(null, { x: 1 }, { index: 0 })])).toEqual([
      { name: "a", arguments: { x: 1 } },
    ]);
  });
});

interface Planned {
  readonly name: string;
  readonly input: JsonObject;
  readonly pieces: number;
}

const planned = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c"),
    input: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)) as JsonObject),
    pieces: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Which fragments are told apart by what. */
const styles: Readonly<Record<string, (nth: number, isHead: boolean) => JsonObject>> = {
  "id and index": (nth) => ({ id: `id-${nth}`, index: nth }),
  "id, then index": (nth, isHead) => (isHead ? { id: `id-${nth}`, index: nth } : { index: nth }),
  "id, then index with an empty id": (nth, isHead) => ({ id: isHead ? `id-${nth}` : "", index: nth }),
  "id alone": (nth) => ({ id: `id-${nth}` }),
  "id at the index 0": (nth) => ({ id: `id-${nth}`, index: 0 }),
  "index alone, from 1": (nth) => ({ index: nth + 1 }),
};

function piecesOf({ name, input, pieces }: Planned, nth: number, tag: (nth: number, isHead: boolean) => JsonObject) {
  const text = JSON.stringify(input);
  const size = Math.ceil(text.length / pieces);
  const cuts = Array.from({ length: Math.ceil(text.length / size) }, (_, place) =>
    text.slice(place * size).slice(0, size),
  );
  return cuts.map((cut, place) => part(place === 0 ? name : null, cut, tag(nth, place === 0)));
}

describe.each(Object.entries(styles))("calls whose fragments have %s", (_style, tag) => {
  it("come out whole however they are cut and interleaved", () => {
    const heads = (calls: readonly Planned[]) => calls.map((call, nth) => piecesOf(call, nth, tag));

    fc.assert(
      fc.property(planned, fc.infiniteStream(fc.nat()), (calls, choices) => {
        const queues = heads(calls);
        const chunks = queues.map((queue) => queue.slice(0, 1));
        const rest = queues.map((queue) => queue.slice(1));
        while (rest.some((queue) => queue.length > 0)) {
          const open = rest.filter((queue) => queue.length > 0);
          const next = open[(choices.next().value ?? 0) % open.length]?.shift();
          if (next) chunks.push([next]);
        }
        expect(callsOf(...chunks).map((call) => [call.name, call.arguments])).toEqual(
          calls.map(({ name, input }) => [name, input]),
        );
      }),
      { numRuns: 200 },
    );
  });
});
