// Whatever a run writes: undone whole it is as it was before, undone step by step it is as it was before each of them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecordedRun, recordedRun } from "./recorded-run.test-support.js";
import { rewindRun } from "./rewind.js";
import { rewindStep } from "./rewind-step.js";

const content = fc.oneof(
  fc
    .array(fc.constantFrom("a\n", "b\n", "ä\r\n", "\n", "\\ No newline at end of file\n", "@@ -1 +1 @@\n", "c"), {
      maxLength: 10,
    })
    .map((lines) => lines.join("")),
  fc.string({ unit: "binary", maxLength: 12 }).filter((text) => text.isWellFormed()),
);
const bytes = fc.oneof(content, fc.uint8Array({ maxLength: 12 }));
const name = fc.constantFrom("a", "b", "deep/c");
const write = fc.record({ path: name, content });
const steps = fc.array(fc.array(write, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
const first = fc.dictionary(name, bytes, { noNullPrototype: true });

type Snapshot = Readonly<Record<string, string | null>>;

async function snapshot({ root }: RecordedRun): Promise<Snapshot> {
  const read = (path: string) => readFile(join(root, path), "base64").catch(() => null);
  return Object.fromEntries(await Promise.all(["a", "b", "deep/c"].map(async (path) => [path, await read(path)])));
}

/** Makes the writes of each step, and says what was there before each. */
async function make(made: RecordedRun, planned: readonly (readonly { path: string; content: string }[])[]) {
  const before: Snapshot[] = [];
  for (const [index, writes] of planned.entries()) {
    before.push(await snapshot(made));
    for (const { path, content } of writes) await made.write(path, content, index + 1);
  }
  return before;
}

describe("any run of writes", () => {
  it("is undone whole", async () => {
    await fc.assert(
      fc.asyncProperty(first, steps, async (files, planned) => {
        await using made = await recordedRun({ files });
        const [before] = await make(made, planned);

        await rewindRun(made.store, made.run);

        expect(await snapshot(made)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it("is undone step by step, or a step is left whole for want of a diff", async () => {
    await fc.assert(
      fc.asyncProperty(first, steps, async (files, planned) => {
        await using made = await recordedRun({ files });
        const before = await make(made, planned);

        for (let step = planned.length; step > 0; step -= 1) {
          const now = await snapshot(made);
          const { type } = await rewindStep(made.store, made.run, step);
          expect(["applied", "no-hunk"]).toContain(type);
          expect(await snapshot(made)).toEqual(type === "applied" ? before[step - 1] : now);
          if (type !== "applied") break;
        }
        await rewindRun(made.store, made.run);
        expect(await snapshot(made)).toEqual(before[0]);
      }),
      { numRuns: 40 },
    );
  });
});
