import { describe, expect, it } from "vitest";
import { checkedHeaders, secretsIn } from "./secrets.js";

describe("what is secret", () => {
  it("is every header whose name is not known to be public, whole and without its scheme, the longest first", () => {
    const headers = { authorization: "Bearer abcdef", "x-gateway": "g", "anthropic-version": "2023-06-01" };

    expect(secretsIn(headers, "https://a/v1")).toEqual(["Bearer abcdef", "Bearer", "abcdef", "g"]);
  });

  it("is what stands in the query of an address, but for the version of an API", () => {
    expect(secretsIn({}, "https://a/v1?key=abc&api-version=2024-10-21")).toEqual(["abc"]);
  });
});

describe("headers", () => {
  it("are taken with names in lower case", () => {
    expect(checkedHeaders({ "X-Key": "a b\t~é" })).toEqual({ "x-key": "a b\t~é" });
  });

  it.each([
    ["x key", "a"],
    ["", "a"],
    ["x-key", "a\r\nb"],
    ["x-key", "a\0"],
    ["x-key", "key…"],
  ])("%j: %j is refused without being shown", (name, value) => {
    expect(() => checkedHeaders({ [name]: value })).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        path: ["headers", name],
        message: expect.not.stringContaining("a\r"),
      }),
    );
  });
});
