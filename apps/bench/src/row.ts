// What a measure reports: medians, what they are held against, and what the ratio must be. Pure; the table and the JSON are
// both made from it.

export type Unit = "µs/step" | "steps/s" | "ms" | "ms CPU/s" | "MB/s" | "commits/step" | "KiB/agent" | "MiB";

export interface Target {
  /** What is held to it: our figure over the baseline's, or our figure itself. */
  readonly of: "ratio" | "ours";
  readonly limit: "at-most" | "at-least";
  readonly value: number;
}

export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly ours: number;
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Absent: printed, and held to nothing. */
  readonly target?: Target;
  /** Said where there is no verdict: why there is none. */
  readonly note?: string;
}

/** Ours over the baseline; `undefined` without one. */
export function ratioOf({ ours, baseline }: Row): number | undefined {
  return baseline && ours / baseline.value;
}

/** Whether the row meets its target; `undefined` where it has none. Throws for a ratio without a baseline. */
export function meets(row: Row): boolean | undefined {
  const { target } = row;
  if (!target) return undefined;
  const figure = target.of === "ours" ? row.ours : ratioOf(row);
  if (figure === undefined) throw new Error(`The row "${row.name}" has a ratio as its target and no baseline.`);
  return target.limit === "at-most" ? figure <= target.value : figure >= target.value;
}

/** Ours may be no more than `value` times the baseline. */
export function ratioAtMost(value: number): Target {
  return { of: "ratio", limit: "at-most", value };
}

/** Ours must be `value` times the baseline or more. */
export function ratioAtLeast(value: number): Target {
  return { of: "ratio", limit: "at-least", value };
}

/** Our figure, in the row's unit, may be no more than `value`. */
export function atMost(value: number): Target {
  return { of: "ours", limit: "at-most", value };
}
