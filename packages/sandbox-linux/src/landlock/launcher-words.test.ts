import { expect, it } from "vitest";
import { launcherArchitecture, launcherWords } from "./launcher-words.js";

const words = launcherWords({
  ...{ perl: "/usr/bin/perl", architecture: "x64", file: "/bin/echo", argv: ["echo", "--", "$(id)"] },
  steps: [
    { type: "close" },
    { type: "enter", folder: "/a b'\"$x" },
    { type: "rules", handled: { bytes: 24, files: 65535, ports: 3, scopes: 1 } },
    { type: "grant", rights: 4, path: "/etc" },
    { type: "stream", rights: 6, fd: 1 },
    { type: "drop" },
    { type: "filter", filter: new Uint8Array([6, 0, 255]) },
    { type: "other", words: ["folder", "/x"] },
  ],
});

it("hands every instruction over as words of its own", () => {
  expect(words.slice(7, 9)).toEqual(["calls", expect.stringContaining("openat=257,")]);
  expect(words.slice(9)).toEqual([
    "close",
    ...["enter", "/a b'\"$x"],
    ...["rules", "24", "65535", "3", "1"],
    ...["grant", "4", "/etc"],
    ...["stream", "6", "1"],
    "drop",
    ...["filter", "0600ff"],
    ...["folder", "/x"],
    ...["--", "/bin/echo", "echo", "--", "$(id)"],
  ]);
});

it("runs a text that is the same whatever it is told", () => {
  const other = launcherWords({ perl: "/usr/bin/perl", architecture: "arm64", steps: [], file: "/x", argv: ["x"] });

  expect(words.slice(0, 5)).toEqual(["/usr/bin/perl", "-f", "-T", "-C0", "-e"]);
  expect(words[5]).toBe(other[5]);
  expect(other[8]).toContain("openat=56,");
});

it("knows the calls of two architectures", () => {
  expect(["x64", "arm64", "ia32", "riscv64", "s390x"].map(launcherArchitecture)).toEqual([
    "x64",
    "arm64",
    undefined,
    undefined,
    undefined,
  ]);
});
