import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCase } from "./any-case.js";

function matcher(path: string): RegExp | undefined {
  const spelled = anyCase(path);
  return spelled === undefined ? undefined : new RegExp(spelled.slice(2, -1));
}

describe("a name in any case", () => {
  it("covers its spellings and what is below them, and nothing beside them", () => {
    const pattern = matcher("/Users/ada/project/.vscode") as RegExp;
    const covered = [".vscode", ".VSCode", ".VsCoDe/tasks.json"].map((name) =>
      pattern.test(`/Users/ada/project/${name}`),
    );
    const beside = ["/Users/ada/project/xvscode", "/Users/ada/project/.vscode2", "/tmp/Users/ada/project/.vscode"];
    expect([covered, beside.map((path) => pattern.test(path))]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it("is left to the exact rule where the path has a character that patterns or profiles read in a way of their own", () => {
    const paths = ['/a"b/.x', "/a\\b/.x", "/a(b/.x", "/a\nb/.x", "/é/.x", "/a*/.x", "/a|b/.x", "/$a/.x", "/[a]/.x"];
    expect(paths.map(anyCase)).toEqual(paths.map(() => undefined));
  });

  it("covers the path itself, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => `/${text}`),
        (path) => {
          const pattern = matcher(path);
          return pattern === undefined || (pattern.test(path) && !pattern.test(`x${path}`));
        },
      ),
    );
  });
});
