import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, findSecrets, mapStrings, type Redactor, redactor } from "./index.js";

const secret = 'pa"ss\\word\n1';
const known = redactor(new Map([["DB_PASSWORD", secret]]));
const redacted = <Value>(value: Value, by: Redactor = known): Value => by.value(value, JSON.stringify(value));

describe("redactor", () => {
  it("replaces a secret wherever it stands in a text", () => {
    expect(known.text(`--password=${secret} --again ${secret}`)).toBe(
      "--password=[redacted:DB_PASSWORD] --again [redacted:DB_PASSWORD]",
    );
  });

  it("replaces it in values and keys at any depth", () => {
    expect(redacted({ a: [{ [secret]: `x${secret}` }], b: 1, c: null })).toEqual({
      a: [{ "[redacted:DB_PASSWORD]": "x[redacted:DB_PASSWORD]" }],
      b: 1,
      c: null,
    });
  });

  it("replaces it inside JSON that stands inside a text", () => {
    const value = { output: `log: ${JSON.stringify({ password: secret })}` };

    expect(redacted(value)).toEqual({ output: 'log: {"password":"[redacted:DB_PASSWORD]"}' });
  });

  it("leaves no secret in any text or key, however it is wrapped", () => {
    const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(anySecret, fc.string(), fc.jsonValue(), (value, around, more) => {
        const event = {
          plain: `${around}${value}${around}`,
          json: JSON.stringify([around, { [value]: value }]),
          [`key ${value}`]: [{ more, deep: value }],
        };

        const texts = textsOf(redacted(event, redactor(new Map([["KEY", value]]))));

        expect(texts.filter((text) => text.includes(value))).toEqual([]);
      }),
    );
  });

  it("replaces the longer of two secrets of which one contains the other", () => {
    const both = redactor(
      new Map([
        ["SHORT_TOKEN", "abcdefgh"],
        ["LONG_TOKEN", "abcdefgh-ijkl"],
      ]),
    );

    expect(both.text("abcdefgh-ijkl abcdefgh")).toBe("[redacted:LONG_TOKEN] [redacted:SHORT_TOKEN]");
  });

  it("leaves values alone that are short enough to stand in ordinary words", () => {
    expect(redactor(new Map([["PIN_TOKEN", "1234567"]])).text("12345678")).toBe("12345678");
  });

  it("reads nothing into a name or a secret that looks like a pattern", () => {
    expect(redactor(new Map([["$&_KEY", "a.*$1(bcd)"]])).text("x a.*$1(bcd) y")).toBe("x [redacted:$&_KEY] y");
  });

  it("replaces lone surrogates, which no file and no wire can carry", () => {
    const value = { text: "half \ud83d of a smile", list: ["\udc00", "whole 😀"] };

    expect(redacted(value)).toEqual({ text: "half \ufffd of a smile", list: ["\ufffd", "whole 😀"] });
    expect(known.text("\ud83d")).toBe("\ufffd");
  });

  it("makes any value well-formed", () => {
    const halves = fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "a", '"', "\\") });
    fc.assert(
      fc.property(fc.dictionary(halves, fc.array(halves)), (value) => {
        expect(textsOf(redacted(value)).every((text) => text.isWellFormed())).toBe(true);
      }),
    );
  });

  it("returns the value itself when there is nothing to take out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!textsOf(value).some((text) => text.includes("word") || !text.isWellFormed()));
        expect(redacted(value)).toBe(value);
      }),
    );
  });
});

describe("findSecrets", () => {
  it("takes variables whose names look secret, and those that were named", () => {
    const found = findSecrets(
      {
        ANTHROPIC_API_KEY: "value-of-1",
        GITHUB_TOKEN: "value-of-2",
        db_password: "value-of-3",
        SIGNING_PRIVATE_KEY: "value-of-4",
        MY_GATEWAY: "value-of-5",
        PATH: "/usr/bin:/bin",
        HOME: "/home/someone",
        MONKEY_BUSINESS: "value-of-6",
      },
      ["MY_GATEWAY", "NOT_SET"],
    );

    expect([...found.keys()].sort()).toEqual([
      "ANTHROPIC_API_KEY",
      "GITHUB_TOKEN",
      "MY_GATEWAY",
      "SIGNING_PRIVATE_KEY",
      "db_password",
    ]);
    expect(found.get("MY_GATEWAY")).toBe("value-of-5");
  });

  it("takes the password out of a URL, whatever the variable is called", () => {
    const found = findSecrets({
      DATABASE: "postgres://app:hunter22hunter@db.example:5432/main",
      PLAIN: "https://example.test/a:b@c",
      SHORT: "redis://:pw@localhost",
    });

    expect([...found]).toEqual([["DATABASE", "hunter22hunter"]]);
  });

  it("leaves out what is empty, missing or too short to tell from words", () => {
    expect(findSecrets({ A_TOKEN: "", B_TOKEN: undefined, C_TOKEN: "1234567" }, ["C_TOKEN"]).size).toBe(0);
  });
});

describe("mapStrings", () => {
  it("changes every string, keys included, and nothing else", () => {
    const value = { a: ["b", 1, null, true, { c: "d" }], e: [["f"]] };

    expect(mapStrings(value, (text) => text.toUpperCase())).toEqual({
      A: ["B", 1, null, true, { C: "D" }],
      E: [["F"]],
    });
    expect(value).toEqual({ a: ["b", 1, null, true, { c: "d" }], e: [["f"]] });
  });

  it("shares the parts that did not change", () => {
    const value = { same: { deep: ["x"] }, other: "y" };

    const mapped = mapStrings(value, (text) => (text === "y" ? "z" : text));

    expect(mapped).toEqual({ same: { deep: ["x"] }, other: "z" });
    expect(mapped.same).toBe(value.same);
    expect(mapStrings(value, (text) => text)).toBe(value);
  });

  it("keeps a key named __proto__ a key", () => {
    const value = JSON.parse('{"__proto__":"a","b":"a"}');

    const mapped = mapStrings(value, () => "c");

    expect(JSON.stringify(mapped)).toBe('{"c":"c"}');
    expect(JSON.stringify(mapStrings(value, (text) => (text === "a" ? "d" : text)))).toBe('{"__proto__":"d","b":"d"}');
  });
});

describe("canonicalJson", () => {
  it("gives equal text for equal values, in whatever order they were built", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.stringify(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });

  it("keeps the order of lists, and gives different text for different values", () => {
    expect(canonicalJson({ b: [2, 1], a: { d: 1, c: "x" } })).toBe('{"a":{"c":"x","d":1},"b":[2,1]}');
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
  });
});

/** Every string in `value`, keys included. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? value.flatMap(textsOf) : Object.entries(value).flatMap(textsOf);
}

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
}
