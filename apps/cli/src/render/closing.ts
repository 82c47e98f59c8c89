// What stands under a run that has stopped: what it left, what it cost, where its trace is, and how to go on from here.
import type { RunId, RunOutcome } from "@harness/spec";
import { type CommandPlace, commandOf } from "../command-line.js";
import { costBy } from "../run-spend.js";
import type { ShownState } from "../run-state.js";
import { diffLines } from "./diff-lines.js";
import { duration } from "./durations.js";
import { netEdits } from "./edits.js";
import { hanging } from "./fit.js";
import { costText } from "./money.js";
import { waysOn } from "./next-commands.js";
import { printable } from "./printable.js";
import type { Style } from "./style.js";
import type { Timeline } from "./timeline.js";
import type { Totals } from "./totals.js";

export interface Closing {
  readonly id: string;
  readonly outcome: RunOutcome;
  readonly place: CommandPlace;
  readonly storePath: string;
}

export function closingLines(timeline: Timeline, closing: Closing, style: Style): readonly string[] {
  const { id, outcome, place, storePath } = closing;
  const rows: readonly Row[] = [
    ["spend", spendText(timeline.totals)],
    ...costRow(timeline),
    ["refusals", String(timeline.totals.refusals)],
    ["trace", `in ${storePath}`],
    ["look", commandOf(place, "trace", id)],
    ["verify", commandOf(place, "verify", id)],
    ...wayRows(waysOn(id, outcome, timeline), place),
  ];
  return ["", ...changeLines(timeline, style), style.paint.bold("After the run"), ...rowLines(rows, style)];
}

type Row = readonly [name: string, value: string];

function costRow({ bills, prices }: Timeline): readonly Row[] {
  const cost = costBy(bills, prices);
  return cost ? [["cost", costText(cost)]] : [];
}

/** Commands and paths are whole lines, so that they can be copied; what is said in words is made to fit. */
function rowLines(rows: readonly Row[], { paint, columns }: Style): readonly string[] {
  return rows.flatMap(([name, value]) => {
    const line = `  ${paint.dim(name.padEnd(9))} ${value}`;
    return name === "spend" || name === "cost" ? hanging(line, columns, " ".repeat(12)) : [line];
  });
}

function wayRows(ways: readonly (readonly string[])[], place: CommandPlace): readonly Row[] {
  return ways.map((words) => ["go on", commandOf(place, ...words)]);
}

export interface TraceEnd {
  readonly id: RunId;
  readonly state: ShownState;
  readonly place: CommandPlace;
}

/** What stands under a trace: where it ends if that is not where the run does, what it came to, and how to go on. */
export function traceFoot(timeline: Timeline, { id, state, place }: TraceEnd, style: Style): readonly string[] {
  const { started, outcome, totals, now } = timeline;
  const isDriven = state === "running";
  const rows: readonly Row[] = [
    ["spend", spendText(totals)],
    ...costRow(timeline),
    ["refusals", String(totals.refusals)],
    ["time", duration(now - (started?.at ?? now))],
    ...(isDriven ? followRow(id, place) : wayRows(waysOn(id, outcome, timeline), place)),
  ];
  const why = isDriven ? "the run is under way" : "the process that drove the run died";
  const end = outcome ? [] : [style.paint.yellow(`The log goes no further: ${why}.`)];
  return ["", ...end, ...rowLines(rows, style)];
}

function followRow(id: RunId, place: CommandPlace): readonly Row[] {
  return [["follow", commandOf(place, "trace", id, "--follow")]];
}

function changeLines({ edits }: Timeline, style: Style): readonly string[] {
  const net = netEdits(edits);
  if (net.length === 0) return [];
  const { bold } = style.paint;
  const files = net.flatMap(({ path, added, removed, diffs }) => [
    `  ${printable(path)}  +${added} −${removed}`,
    ...diffs.flatMap((diff) => diffLines(diff, style)),
  ]);
  return [bold("What it changed"), ...files, ""];
}

/** `1,200 tokens: 1,000 in, 200 out, over 4 completions`. */
function spendText(totals: Totals): string {
  const { completions, promptTokens, completionTokens, totalTokens, uncounted, estimated } = totals;
  const sum = (count: number) => count.toLocaleString("en-US");
  const over = `over ${completions} ${completions === 1 ? "completion" : "completions"}`;
  const unknown = uncounted > 0 ? `; of ${uncounted} the vendor said nothing` : "";
  const guessed = estimated > 0 ? `; ${estimated} cut off and estimated` : "";
  return `${sum(totalTokens)} tokens: ${sum(promptTokens)} in, ${sum(completionTokens)} out, ${over}${unknown}${guessed}`;
}
