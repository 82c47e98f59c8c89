// The two forms of a report: a table for people and JSON for whoever compares runs. Pure.
import { meets, type Row, ratioOf, type Target } from "./row.js";

const columns = ["measure", "ours", "baseline", "ratio", "target", ""] as const;

/** The rows as a table in plain text; numbers to the right. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [columns, ...rows.map(cellsOf)];
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 || column === columns.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}

function cellsOf(row: Row): readonly string[] {
  const ratio = ratioOf(row);
  const isMet = meets(row);
  return [
    row.name,
    `${figure(row.ours)} ${row.unit}`,
    row.baseline ? `${row.baseline.name} ${figure(row.baseline.value)}` : "–",
    ratio === undefined ? "–" : `${ratio.toFixed(2)}×`,
    row.target ? describeTarget(row.target, row.unit) : "–",
    isMet === undefined ? (row.note ?? "") : isMet ? "ok" : "miss",
  ];
}

function describeTarget({ of, limit, value }: Target, unit: string): string {
  const sign = limit === "at-most" ? "≤" : "≥";
  return of === "ratio" ? `${sign} ${value}×` : `${sign} ${value} ${unit}`;
}

/** Three significant digits, and never an exponent. */
function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}

/** Where and on what the rows were measured. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The report as JSON text: the machine, and every row with its ratio and whether its target is met, `null` where there is none. */
export function formatJson(machine: Machine, rows: readonly Row[]): string {
  const results = rows.map((row) => ({ ...row, ratio: ratioOf(row) ?? null, ok: meets(row) ?? null }));
  return `${JSON.stringify({ ...machine, results }, null, 2)}\n`;
}
