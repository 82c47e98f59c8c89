// What was undone of a run's work on files, read off its trace.
import type { EventOf } from "@harness/spec";
import { clip } from "./printable.js";
import { inset, marks, type Style } from "./style.js";

type Rewound = EventOf<"files.rewound">;
type Result = Rewound["paths"][number]["result"];

const results: Readonly<Record<Result, string>> = {
  restored: "is as it was",
  removed: "is gone, which the run had made",
  reversed: "is without the changes of the step",
  stale: "is left alone: somebody has changed it since",
  "not-kept": "is left alone: what was there was not kept",
  refused: "is left alone: the policy does not allow it",
  failed: "could not be written",
};

const touched: ReadonlySet<Result> = new Set(["restored", "removed", "reversed"] satisfies Result[]);

/** `intended` says that it began; only `done` says what came of each file. */
export function rewoundLines({ phase, scope, undid, forced, paths }: Rewound, { paint }: Style): readonly string[] {
  const { again, note, quiet } = marks(paint);
  const what = { run: "everything", file: "one file", step: `step ${undid}` }[scope];
  const how = forced ? ", whoever has changed it since" : "";
  if (phase === "intended") return [`${quiet} ${paint.dim(`somebody begins to undo ${what}${how}`)}`];
  const lines = paths.map(({ path, result }) => {
    const mark = touched.has(result) ? "" : `${note} `;
    return `${inset}${mark}${clip(path, 160)} ${results[result] ?? clip(result, 40)}`;
  });
  return [`${again} ${paint.bold(`undone: ${what}`)}${how}`, ...lines];
}
