import { describe, expect, it } from "vitest";
import { loose } from "../doctor/machine.test-support.js";
import { boundaries, openingsText } from "./enforcement.js";

describe("what a command is not kept from, in a few words", () => {
  const tight = {
    ...loose,
    writes: true,
    protectedPaths: true,
    reads: true,
    egress: "all",
    unixSockets: true,
  } as const;

  it.each([
    [{}, undefined],
    [{ writes: false, protectedPaths: false }, "writing anywhere"],
    [{ protectedPaths: false }, "changing what is protected in the workspace"],
    [{ egress: "none", unixSockets: false }, "reaching the network"],
    [{ unixSockets: false }, "talking to local sockets"],
    [{ reads: false, egress: "advisory" }, "reading anything or reaching the network"],
  ] as const)("is the widest opening of each kind: %j", (open, text) => {
    expect(openingsText({ ...tight, ...open })).toBe(text);
  });
});

it("has a boundary for whatever a command could be kept from", () => {
  expect(boundaries(loose).map(({ name }) => name)).toEqual([
    ...["writes", "modes", "protected", "reads", "temporary", "sockets", "processes", "kernel", "network", "clean-up"],
  ]);
  expect(new Set(boundaries(loose).map(({ text }) => text)).size).toBe(10);
});
