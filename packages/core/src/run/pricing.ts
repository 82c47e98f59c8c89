// The prices that a driver brings, and whether a budget of money can be kept with them. A budget that cannot be counted is a
// mistake that is told before anything is asked.
import { ConfigError, hasPrice, type Pricing, type Provider, priceTable, type TaskContract } from "@harness/spec";
import type { DriveOptions } from "./options.js";

/** What `options` bring, and what `before` (the log's, on a resume) has where they bring nothing. */
export function pricingOf(
  { prices, unpriced }: Pick<DriveOptions, "prices" | "unpriced">,
  before?: Pricing,
): Pricing | undefined {
  if (unpriced !== undefined && unpriced !== "refuse" && unpriced !== "allow") {
    throw new ConfigError(`unpriced must be "refuse" or "allow", not ${JSON.stringify(unpriced)}.`, {
      path: ["unpriced"],
    });
  }
  const table = prices === undefined ? before?.table : priceTable(prices);
  return table && { table, unpriced: unpriced ?? before?.unpriced ?? "refuse" };
}

/** Throws `ConfigError` for a budget of money without prices, or for a model without one where that is not allowed. */
export function checkMoney(contract: TaskContract, provider: Provider, pricing: Pricing | undefined): void {
  if (contract.limits.maxCostMicros === undefined) return;
  if (!pricing) {
    throw new ConfigError(
      "The contract has a budget of money, limits.maxCostMicros, and no prices were given to count it with. Pass a table as the option `prices`.",
      { path: ["prices"] },
    );
  }
  const model = contract.model ?? provider.model;
  if (pricing.unpriced === "allow" || model === undefined || hasPrice(pricing.table, model)) return;
  throw new ConfigError(
    `The contract has a budget of money, and the prices of ${pricing.table.asOf} have none for the model ${JSON.stringify(model)}. Add its price, or pass unpriced: "allow" to leave it out of the budget.`,
    { path: ["prices", "prices", model] },
  );
}
