// The list of runs.
import type { RunOutcome } from "@harness/spec";
import type { RunSpend } from "../run-spend.js";
import type { ShownState } from "../run-state.js";
import { duration } from "./durations.js";
import { amountText } from "./money.js";
import type { Paint } from "./paint.js";
import { clip } from "./printable.js";

export interface RunRow {
  readonly id: string;
  readonly state: ShownState;
  /** `null` while it has none. */
  readonly outcome: RunOutcome | null;
  readonly steps: number;
  /** Epoch ms. */
  readonly createdAt: number;
  /** `null` for a run that never started, or whose words are not kept. */
  readonly goal: string | null;
}

/** A row with what the run has used. */
export type SpentRow = RunRow & RunSpend;

export function runsTable(rows: readonly SpentRow[], now: number, columns: number, paint: Paint): readonly string[] {
  const hasCost = rows.some(({ cost }) => cost !== null);
  const headings = ["id", "state", "outcome", "steps", "tokens", ...(hasCost ? ["cost"] : []), "age"];
  const cells = rows.map(({ id, state, outcome, steps, tokens, cost, createdAt }) => [
    id,
    state,
    outcome?.type ?? "–",
    String(steps),
    tokens.toLocaleString("en-US"),
    ...(hasCost ? [cost ? amountText(cost) : "–"] : []),
    duration(now - createdAt),
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  const room = Math.max(20, columns - line(headings).length - 2);
  const goals = rows.map(({ goal }) => clip(goal ?? "–", room));
  return [paint.dim(`${line(headings)}  goal`), ...cells.map((row, index) => `${line(row)}  ${goals[index]}`)];
}
