import fc from "fast-check";
import { expect, it } from "vitest";
import { launcherStatus } from "./status.js";

it.each([
  ["", { hasRun: false }],
  ["init 4711\n", { hasRun: false, init: 4711 }],
  ["init 4711\nran\n", { hasRun: true, init: 4711 }],
  ["ran\n", { hasRun: true }],
  ["ran", { hasRun: false }],
  ["init 47", { hasRun: false }],
  ["init 1\nran\n", { hasRun: true }],
  ["ran\nfailed start the command: No such file or directory\n", { hasRun: false }],
  ["failed make /a\nran\nb read-only\n", { hasRun: false }],
])("takes %j for %j", (said, status) => {
  expect(launcherStatus(said)).toEqual(status);
});

it("takes nothing for a start but the word for it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }).filter((text) => !text.includes("ran")),
      (said) => {
        expect(launcherStatus(said).hasRun).toBe(false);
      },
    ),
  );
});
