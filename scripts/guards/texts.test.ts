// What may stand in no file of ours: names of the machine it was written on, addresses of registries, and references to papers
// that a reader of the repository does not have.
import { describe, expect, it } from "vitest";
import { filesUnder, read } from "./repository.js";

const forbidden = [
  { what: "path of somebody's machine", pattern: /(?<![\w.@/-])\/(?:work|root|farm)\// },
  { what: "address of a registry", pattern: /registry\.(?:npmjs|yarnpkg|npmmirror)/ },
  { what: "reference to an issue", pattern: /\bissue\s+#?\d/i },
  { what: "reference to a report", pattern: /\bfield[- ]reports?\b/i },
  { what: "reference to a paper that is not here", pattern: /\.\.\/shared\b|\breference crate/ },
  { what: "unfinished work", pattern: /\b(?:TO-?DO|FIX-?ME|XXX)\b/ },
  { what: "test that keeps the others from running", pattern: /\b(?:it|test|describe)\.only\(/ },
];

const itself = "scripts/guards/texts.test.ts";
const binary = /\.(png|ico|gz|tgz|wasm|db)$/;
const texts = filesUnder(".").filter((file) => file !== itself && file !== "pnpm-lock.yaml" && !binary.test(file));

describe("the repository's texts", () => {
  it.each(forbidden)("hold no $what", ({ pattern }) => {
    const found = texts.flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );

    expect(found).toEqual([]);
  });
});
