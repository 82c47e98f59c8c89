import type { JsonSchema } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { context, requestOf } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";
import type { Quirks } from "./quirks.js";

const closed: JsonSchema = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false },
    },
  },
  required: ["items"],
  additionalProperties: false,
};

function formatOf(output: JsonSchema, outputSchema: Quirks["outputSchema"] & string): unknown {
  return chatWire({ quirks: { outputSchema } }).encode(requestOf({ output }), context).response_format;
}

describe("the schema of an answer", () => {
  it("is strict where nothing is left open and the vendor may be told", () => {
    expect(formatOf(closed, "strict")).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: closed, strict: true },
    });
  });

  it.each<[string, JsonSchema]>([
    ["a property that is not required", { ...closed, required: [] }],
    ["other properties", { ...closed, additionalProperties: true }],
    ["an open object in a list", { ...closed, properties: { items: { type: "array", items: { type: "object" } } } }],
    ["an open object behind a choice", { ...closed, properties: { items: { anyOf: [{ type: ["object", "null"] }] } } }],
    ["an open definition", { ...closed, $defs: { thing: { properties: {} } } }],
    ["a keyword that strict vendors do not read", { ...closed, allOf: [] }],
    ["another root", { type: "array", items: closed }],
  ])("is not strict with %s", (_what, schema) => {
    expect(formatOf(schema, "strict")).toEqual({ type: "json_schema", json_schema: { name: "answer", schema } });
  });

  it("is never strict at a vendor that may not be told", () => {
    expect(formatOf(closed, "plain")).toEqual({ type: "json_schema", json_schema: { name: "answer", schema: closed } });
  });

  it("is refused, with nothing sent, by a vendor that has no such ability", () => {
    expect(() => formatOf(closed, "none")).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining("Nothing was sent") }),
    );
  });
});
