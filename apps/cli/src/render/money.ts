// Money, for people: an amount, and how far it can be relied on.
import { type Bill, costOf, microsText, type PriceTable } from "@harness/spec";
import type { ShownCost } from "../run-spend.js";

/** `0.0123 USD`; with `+ ?` where something of it has no price. */
export function amountText({ micros, unpriced, currency }: ShownCost): string {
  return `${amountOf(micros, currency)}${unpriced > 0 ? " + ?" : ""}`;
}

/** `0.0123 USD by the prices of 2026-01-31; 2 of the completions have no price`. */
export function costText(cost: ShownCost): string {
  const { micros, unpriced, currency, asOf } = cost;
  const unknown =
    unpriced > 0 ? `; ${unpriced} ${unpriced === 1 ? "completion has" : "completions have"} no price` : "";
  return `${amountOf(micros, currency)} by the prices of ${asOf}${unknown}`;
}

/** What one completion cost. Nothing without prices. */
export function billTexts({ model, usage }: Bill, prices: PriceTable | undefined): readonly string[] {
  if (!prices) return [];
  const cost = costOf(usage, model, prices);
  return [cost.type === "priced" ? amountOf(cost.micros, prices.currency) : "no price"];
}

function amountOf(micros: number, currency: string | undefined): string {
  return microsText(micros, currency === undefined ? {} : { currency });
}
