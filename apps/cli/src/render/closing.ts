// What stands under a run that has stopped: what it left, what it cost, where its trace is, and how to go on from here.
import type { RunOutcome } from "@harness/spec";
import { type CommandPlace, commandOf } from "../command-line.js";
import { diffLines } from "./diff-lines.js";
import { netEdits } from "./edits.js";
import { waysOn } from "./next-commands.js";
import type { Style } from "./style.js";
import type { Timeline, Totals } from "./timeline.js";

export interface Closing {
  readonly id: string;
  readonly outcome: RunOutcome;
  readonly place: CommandPlace;
  readonly storePath: string;
}

export function closingLines(timeline: Timeline, closing: Closing, style: Style): readonly string[] {
  const { id, outcome, place, storePath } = closing;
  const { bold, dim } = style.paint;
  const rows: readonly (readonly [string, string])[] = [
    ["spend", spendText(timeline.totals)],
    ["refusals", String(timeline.totals.refusals)],
    ["trace", `in ${storePath}`],
    ["look", commandOf(place, "trace", id)],
    ["verify", commandOf(place, "verify", id)],
    ...waysOn(id, outcome, timeline.limits).map((words) => ["go on", commandOf(place, ...words)] as const),
  ];
  return [
    "",
    ...changeLines(timeline, style),
    bold("After the run"),
    ...rows.map(([name, value]) => `  ${dim(name.padEnd(9))} ${value}`),
  ];
}

function changeLines({ edits }: Timeline, style: Style): readonly string[] {
  const net = netEdits(edits);
  if (net.length === 0) return [];
  const { bold } = style.paint;
  const files = net.flatMap(({ path, added, removed, diffs }) => [
    `  ${path}  +${added} −${removed}`,
    ...diffs.flatMap((diff) => diffLines(diff, style)),
  ]);
  return [bold("What it changed"), ...files, ""];
}

/** `1,200 tokens: 1,000 in, 200 out, over 4 completions`. */
export function spendText({ completions, promptTokens, completionTokens, totalTokens, uncounted }: Totals): string {
  const sum = (count: number) => count.toLocaleString("en-US");
  const over = `over ${completions} ${completions === 1 ? "completion" : "completions"}`;
  const unknown = uncounted > 0 ? `; of ${uncounted} the vendor said nothing` : "";
  return `${sum(totalTokens)} tokens: ${sum(promptTokens)} in, ${sum(completionTokens)} out, ${over}${unknown}`;
}
