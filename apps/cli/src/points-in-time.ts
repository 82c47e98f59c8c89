// Points in time as they are typed: a date, a date with a time, or an age.
import { InvalidArgumentError } from "commander";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/**
 * Epoch ms of `2026-01-31` (the day's beginning, here), `2026-01-31T12:00Z`, or an age before `now`: `90m`, `12h`, `30d`, `4w`.
 * Throws `InvalidArgumentError` for anything else.
 */
export function pointInTime(text: string, now: number): number {
  const [, amount, unit] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * unitMs[unit as keyof typeof unitMs];
  const at = dateFrom(text);
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw new InvalidArgumentError("It must be a date as 2026-01-31, one with a time, or an age as 12h, 30d or 4w.");
}

function dateFrom(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // The 31st of a month without one is a slip, and not the day after.
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : undefined;
}
