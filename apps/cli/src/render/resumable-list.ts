// The runs that wait to be gone on with, each with what it waits for and the commands that do it.
import { type CommandPlace, commandOf } from "../command-line.js";
import { duration } from "./durations.js";
import { hanging } from "./fit.js";
import { clip } from "./printable.js";
import type { RunRow } from "./runs-table.js";
import type { Style } from "./style.js";

export interface ResumableRow extends RunRow {
  /** In words. */
  readonly waitsFor: string;
  /** The arguments of each command that would go on with it. */
  readonly ways: readonly (readonly string[])[];
}

export interface ListMoment {
  /** Epoch ms. */
  readonly now: number;
  readonly place: CommandPlace;
}

export function resumableLines(
  rows: readonly ResumableRow[],
  { now, place }: ListMoment,
  style: Pick<Style, "paint" | "columns">,
): readonly string[] {
  return rows.flatMap((row, index) => [...(index > 0 ? [""] : []), ...runLines(row, { now, place }, style)]);
}

function runLines(
  { id, state, createdAt, goal, waitsFor, ways }: ResumableRow,
  { now, place }: ListMoment,
  { paint, columns }: Pick<Style, "paint" | "columns">,
): readonly string[] {
  const head = `${paint.bold(id)}  ${state}  ${duration(now - createdAt)}`;
  const room = Math.max(20, Math.min(columns, 200) - 2);
  const commands = ways.map((words) => `  ${paint.cyan(commandOf(place, ...words))}`);
  return [head, `  ${clip(goal ?? "–", room)}`, ...hanging(`  ${paint.yellow(waitsFor)}`, columns), ...commands];
}
