import type { AttackResult } from "@harness/testing/attacks";
import { describe, expect, it } from "vitest";
import { attackLine, attackObject, attackSummary, attackTitle } from "./attack-lines.js";
import { plain } from "./paint.js";

const look = { paint: plain, columns: Number.POSITIVE_INFINITY };

function result(parts: Partial<AttackResult>): AttackResult {
  return {
    ...{ id: "write-outside", title: "write outside", fields: ["writes"], openFields: [] },
    ...{ expected: "stopped", result: "stopped", evidence: "Read-only file system", ...parts },
  };
}

const work: Partial<AttackResult> = { id: "work", title: "work", expected: "succeeded" };

describe("what came of an attack", () => {
  it.each([
    [{}, "  ✓ stopped      yes          write outside"],
    [{ expected: "succeeded" }, "  ✓ stopped      better       write outside: Read-only file system"],
    [
      { expected: "succeeded", result: "succeeded", evidence: "wrote it" },
      "  ! got through  yes          write outside: wrote it",
    ],
    [{ result: "succeeded", evidence: "wrote it" }, "  ✗ got through  no           write outside: wrote it"],
    [{ result: "not-tried", evidence: "no strace\x1b[2J" }, "  · not tried                 write outside: no strace"],
    [{ result: "failed", evidence: "no wrapper" }, "  ✗ did not run               write outside: no wrapper"],
    [{ ...work, result: "succeeded", evidence: "all" }, "  ✓ done         yes          work"],
    [{ ...work, result: "stopped", evidence: "no commit" }, "  ✗ stopped      no           work: no commit"],
  ] as const)("%# is a line of its own", (parts, line) => {
    expect(attackLine(result(parts), look)).toEqual([line]);
  });

  it("goes on under its own words where the terminal is narrow", () => {
    const lines = attackLine(result({ title: "write a file beside the workspace" }), { ...look, columns: 50 });

    expect(lines).toEqual([
      "  ✓ stopped      yes          write a file beside",
      "                              the workspace",
    ]);
  });
});

describe("the answer", () => {
  const results = [result({ ...work, result: "succeeded" }), result({}), result({ result: "not-tried" })];

  it("is one line when the sandbox keeps its word", () => {
    expect(attackTitle("played", look)[0]).toBe("Attacks on played");
    expect(attackSummary({ backend: "played", results, wrong: [] }, look)).toEqual([
      "",
      "2 attacks on played: 1 stopped, 0 got through, 1 not tried. It keeps its word.",
    ]);
  });

  it("is what is false, and then the same line, when it does not", () => {
    const outcome = { backend: "played", results: [result({ result: "succeeded" }), result({ result: "failed" })] };

    expect(attackSummary({ ...outcome, wrong: ["It lies."] }, look)).toEqual([
      "",
      "  It lies.",
      "2 attacks on played: 0 stopped, 1 got through, 0 not tried, 1 did not run. It does not keep its word.",
    ]);
  });

  it("is for programs one object", () => {
    expect(attackObject({ backend: "played", results, wrong: ["It lies."] })).toEqual({
      backend: "played",
      keepsItsWord: false,
      wrong: ["It lies."],
      attacks: results,
    });
  });
});
