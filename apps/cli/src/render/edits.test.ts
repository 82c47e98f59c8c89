import type { Digest } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type Edit, netEdits } from "./edits.js";

function edit(path: string, before: string | null, after: string | null): Edit {
  const counts = { added: 2, removed: 1, kind: "changed" } as const;
  return { path, ...counts, before: before as Digest, after: after as Digest, diff: `${before} → ${after}` };
}

describe("what is left of a run's edits", () => {
  it("is every edit of a file that was only ever changed further", () => {
    const net = netEdits([edit("a", "0", "1"), edit("b", null, "x"), edit("a", "1", "2")]);

    expect(net).toEqual([
      { path: "a", added: 4, removed: 2, diffs: ["0 → 1", "1 → 2"] },
      { path: "b", added: 2, removed: 1, diffs: ["null → x"] },
    ]);
  });

  it("is nothing of a file that ended as it began", () => {
    expect(netEdits([edit("a", "0", "1"), edit("a", "1", "0"), edit("b", null, "1"), edit("b", "1", null)])).toEqual(
      [],
    );
  });

  it("is what came after a file was put back", () => {
    const net = netEdits([edit("a", "0", "1"), edit("a", "1", "0"), edit("a", "0", "2")]);

    expect(net).toEqual([{ path: "a", added: 2, removed: 1, diffs: ["0 → 2"] }]);
  });
});
