import fc from "fast-check";
import { expect, it } from "vitest";
import { handledBy, ofFiles, rights } from "./rights.js";

it.each([
  [1, { bytes: 8, files: 0x1fff, ports: 0, scopes: 0 }],
  [2, { bytes: 8, files: 0x3fff, ports: 0, scopes: 0 }],
  [3, { bytes: 8, files: 0x7fff, ports: 0, scopes: 0 }],
  [4, { bytes: 16, files: 0x7fff, ports: 3, scopes: 0 }],
  [5, { bytes: 16, files: 0xffff, ports: 3, scopes: 0 }],
  [6, { bytes: 24, files: 0xffff, ports: 3, scopes: 3 }],
  [7, { bytes: 24, files: 0xffff, ports: 3, scopes: 3 }],
  [12, { bytes: 24, files: 0xffff, ports: 3, scopes: 3 }],
])("holds back what version %i of the interface knows, and nothing else", (abi, handled) => {
  expect(handledBy(abi, "denied")).toEqual(handled);
});

it("holds no ports back where the network is allowed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (abi) => {
      expect(handledBy(abi, "allowed")).toEqual({ ...handledBy(abi, "denied"), ports: 0 });
    }),
  );
});

it("grants on a file only what is not of folders alone", () => {
  expect(ofFiles & (rights.readFolder | rights.makeFile | rights.removeFile | rights.refer)).toBe(0);
});
