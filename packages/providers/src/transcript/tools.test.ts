import type { JsonSchema, ToolSpec } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolNames } from "./tool-names.js";
import { vendorSchema, vendorTool } from "./tool-schema.js";

const tool = (name: string): ToolSpec => ({ name, description: "", parameters: { type: "object" } });
const accepted = /^[A-Za-z0-9_-]{1,64}$/;

describe("toolNames", () => {
  it("keeps a name that every vendor accepts", () => {
    expect(toolNames([tool("read_file")]).toVendor("read_file")).toBe("read_file");
  });

  it("makes a readable name for one that vendors refuse", () => {
    const names = toolNames([tool("files.read"), tool("files/read")]);

    expect(names.toVendor("files.read")).toMatch(/^files_read_[0-9a-f]{12}$/);
    expect(names.toVendor("files/read")).not.toBe(names.toVendor("files.read"));
    expect(names.fromVendor(names.toVendor("files/read"))).toBe("files/read");
  });

  it("does not hide a tool whose name is what another one would become", () => {
    const minted = toolNames([tool("files.read")]).toVendor("files.read");
    const names = toolNames([tool("files.read"), tool(minted)]);

    expect(names.fromVendor(minted)).toBe(minted);
    expect(names.fromVendor(names.toVendor("files.read"))).toBe("files.read");
  });

  it("leaves a name that is no tool's as the model wrote it", () => {
    expect(toolNames([tool("read")]).fromVendor("constructor")).toBe("constructor");
  });

  it("maps any names to accepted ones and back, whatever their order", () => {
    const anyNames = fc.uniqueArray(
      fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: "binary", size: "medium" })),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(anyNames, (all) => {
        const names = toolNames(all.map(tool));
        const vendor = all.map((name) => names.toVendor(name));
        const reversed = toolNames(all.map(tool).reverse());

        expect(vendor.every((name) => accepted.test(name))).toBe(true);
        expect(vendor.map((name) => names.fromVendor(name))).toEqual(all);
        expect(all.map((name) => reversed.toVendor(name))).toEqual(vendor);
      }),
    );
  });

  it("gives no tool's name to another that is only remembered", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (offered, remembered) => {
        fc.pre(offered !== remembered);
        const names = toolNames([tool(offered)]);

        expect(names.toVendor(remembered)).toMatch(accepted);
        expect(names.toVendor(remembered)).not.toBe(names.toVendor(offered));
      }),
    );
  });
});

describe("vendorSchema", () => {
  it("has a root of type object with properties, and no address", () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: "x", additionalProperties: false };

    expect(vendorSchema(schema, "read")).toEqual({ type: "object", properties: {}, additionalProperties: false });
  });

  it("leaves everything below the root as it was given", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { path: { anyOf: [{ $id: "y", type: "string" }] } },
      required: ["path"],
    };

    expect(vendorSchema(schema, "read")).toEqual(schema);
  });

  it("replaces halves of characters", () => {
    const described = vendorTool({ ...tool("read"), description: "\uDC00" }, toolNames([]));
    const schema = { type: "object", properties: { a: { enum: ["\uD83D"] } } };

    expect(described.description).toBe("\uFFFD");
    expect(vendorSchema(schema, "read")).toMatchObject({ properties: { a: { enum: ["\uFFFD"] } } });
  });

  it.each<[string, JsonSchema, RegExp]>([
    ["a choice at the root", { anyOf: [] }, /"anyOf"/],
    ["a root that is no object", { type: "array" }, /of type "array"/],
    ["a root of several types", { type: ["object", "null"] }, /of type/],
    ["properties that are no object", { type: "object", properties: [] }, /properties/],
  ])("refuses %s by the tool's name", (_, schema, problem) => {
    expect(() => vendorSchema(schema, "edit")).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(() => vendorSchema(schema, "edit")).toThrow(/"edit".*Nothing was sent/);
    expect(() => vendorSchema(schema, "edit")).toThrow(problem);
  });
});
