import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmlessSettings } from "./git-settings.js";

const fresh = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
; a comment
[remote "origin"]
\turl = git@example.com:ada/project.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[user]
\tname = "Ada"
`;

describe("the harmless part of a repository's settings", () => {
  it("is all of them where git and its user have set nothing else", () => {
    expect(harmlessSettings(fresh)).toBe(fresh);
  });

  it.each([
    ["a setting that names a program", "[core]\n\tbare = false\n\tfsmonitor = evil\n", "[core]\n\tbare = false\n"],
    ["a section that is not known", '[filter "x"]\n\tclean = evil\n', ""],
    ["more settings from elsewhere", "[include]\n\tpath = evil\n", ""],
    ["a setting in the line of its section, nor what follows that", "[core] fsmonitor = evil\n\tbare = true\n", ""],
    ["what follows a section that is not understood", "[user]\n[core\n\tname = evil\n", "[user]\n"],
    ["a value that goes on in the next line", "[user]\n\tname = evil \\\n\temail = evil\n", "[user]\n"],
    ["an address that names a helper program", '[remote "x"]\n\turl = ext::sh -c evil\n', '[remote "x"]\n'],
    ["what says the same in capitals", "[CORE]\n\tBare = true\n\tFsMonitor = evil\n", "[CORE]\n\tBare = true\n"],
  ])("is not %s", (_, text, expected) => {
    expect(harmlessSettings(text)).toBe(expected);
  });

  it("is the same when it is asked for twice, and never more than was there", () => {
    const line = fc.constantFrom(
      "[core]",
      "[alias]",
      '[remote "x"]',
      "bare = true",
      "sh = !evil",
      "url = a\\",
      "name",
      "#",
      "",
    );
    fc.assert(
      fc.property(
        fc.array(line).map((lines) => lines.join("\n")),
        (text) => {
          const tamed = harmlessSettings(text);
          expect(harmlessSettings(tamed)).toBe(tamed);
          expect(tamed).not.toMatch(/evil|\\/);
        },
      ),
    );
  });
});
