// What completions cost, derived from tokens and a table of prices. Everything is whole: prices are micro-units per million
// tokens, a cost is micro-units, rounded once. No prices ship, and a completion without one is unpriced, which is not 0.
import { ConfigError } from "./errors.js";
import { isJsonObject } from "./json.js";
import type { Usage } from "./provider.js";

/** What a million tokens of each kind cost, in micro-units of the table's currency: 3 a million is `3_000_000`. 0 is a price. */
export interface Price {
  /** Of the prompt, what was neither read from a cache nor written to one. */
  readonly input: number;
  /** Reasoning included. */
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A price for a whole request whose prompt has at least so many tokens. */
export interface PriceTier extends Price {
  readonly minPromptTokens: number;
}

export interface ModelPrice extends Price {
  /** In the order of `minPromptTokens`, lowest first. The highest that a prompt reaches prices all of the request. */
  readonly tiers?: readonly PriceTier[];
}

/** Prices by model, as they were on a day. Made by `priceTable`. */
export interface PriceTable {
  /** The day they were looked up: `2026-01-31`. */
  readonly asOf: string;
  /** What one unit is, for people: `USD`. */
  readonly currency?: string;
  /** By the exact id that a vendor answers with; an alias that is asked for is a row of its own. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** Why something has no cost: the table does not have its model, nobody said which model it was, or how many tokens it took. */
export type UnpricedReason = "no-price" | "no-model" | "no-usage";

/** Prices and what is done about a model that has none, as a run has them. */
export interface Pricing {
  readonly table: PriceTable;
  /** `refuse`: under a budget of money such a completion ends the spending. `allow`: it is not counted. */
  readonly unpriced: "refuse" | "allow";
}

export type Cost =
  | {
      readonly type: "priced";
      /** Micro-units; a whole number. */
      readonly micros: number;
      /** The tier that priced it; 0 for the model's own price. */
      readonly minPromptTokens: number;
    }
  | { readonly type: "unpriced"; readonly why: UnpricedReason };

const kinds = ["input", "output", "cacheRead", "cacheWrite"] as const;

/**
 * Reads a table of prices, as a person or a program wrote it: `{ asOf, currency?, prices: { [model]: { input, output, cacheRead,
 * cacheWrite, tiers? } } }`. Tiers may come in any order. Throws `ConfigError` naming the place of what is wrong: a price that was
 * left out, or misspelt, must not become 0.
 */
export function priceTable(input: unknown): PriceTable {
  const { asOf, currency, prices } = objectAt(input, [], ["asOf", "currency", "prices"]);
  if (typeof asOf !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(asOf) || Number.isNaN(Date.parse(asOf))) {
    throw wrong(["asOf"], "must be the day of the prices, as 2026-01-31");
  }
  if (currency !== undefined && (typeof currency !== "string" || !/^\S{1,12}$/.test(currency))) {
    throw wrong(["currency"], "must be the name of a currency, as USD");
  }
  const models = Object.entries(objectAt(prices, ["prices"]));
  const read = models.map(([model, price]) => [model, modelPrice(price, ["prices", model])] as const);
  return { asOf, ...(currency === undefined ? {} : { currency }), prices: Object.fromEntries(read) };
}

/** What `usage` of `model` costs by `table`. */
export function costOf(usage: Usage | null, model: string | null, table: PriceTable): Cost {
  if (usage === null) return { type: "unpriced", why: "no-usage" };
  if (model === null) return { type: "unpriced", why: "no-model" };
  const own = hasPrice(table, model) ? table.prices[model] : undefined;
  if (!own) return { type: "unpriced", why: "no-price" };
  const tier = own.tiers?.findLast(({ minPromptTokens }) => minPromptTokens <= usage.promptTokens);
  return { type: "priced", micros: microsOf(usage, tier ?? own), minPromptTokens: tier?.minPromptTokens ?? 0 };
}

/** Whether `table` says what `model` costs. */
export function hasPrice({ prices }: PriceTable, model: string): boolean {
  return Object.hasOwn(prices, model);
}

/** `microsText(1_234_567, { currency: "USD", … })` is `1.234567 USD`; to six places, without zeros beyond the second. */
export function microsText(micros: number, { currency }: Pick<PriceTable, "currency">): string {
  const digits = BigInt(micros).toString().padStart(7, "0");
  const places = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${places}${currency === undefined ? "" : ` ${currency}`}`;
}

function microsOf(usage: Usage, price: Price): number {
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = usage;
  // A vendor that counts more cached tokens than it was sent is charged for what it counts, and for nothing less than none.
  const fresh = Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens);
  const sum =
    BigInt(fresh) * BigInt(price.input) +
    BigInt(cacheReadTokens) * BigInt(price.cacheRead) +
    BigInt(cacheWriteTokens) * BigInt(price.cacheWrite) +
    BigInt(completionTokens) * BigInt(price.output);
  return Number((sum + 500_000n) / 1_000_000n);
}

type Place = readonly (string | number)[];

function modelPrice(input: unknown, place: Place): ModelPrice {
  const row = objectAt(input, place, [...kinds, "tiers"]);
  const price = priceAt(row, place);
  if (row.tiers === undefined) return price;
  if (!Array.isArray(row.tiers)) throw wrong([...place, "tiers"], "must be a list");
  const tiers = row.tiers.map((tier, index) => tierAt(tier, [...place, "tiers", index]));
  const sorted = tiers.sort((a, b) => a.minPromptTokens - b.minPromptTokens);
  const twice = sorted.find((tier, index) => tier.minPromptTokens === sorted[index - 1]?.minPromptTokens);
  if (twice) throw wrong([...place, "tiers"], `has two tiers from ${twice.minPromptTokens} tokens on`);
  return { ...price, tiers: sorted };
}

function tierAt(input: unknown, place: Place): PriceTier {
  const row = objectAt(input, place, [...kinds, "minPromptTokens"]);
  return { ...priceAt(row, place), minPromptTokens: wholeAt(row.minPromptTokens, [...place, "minPromptTokens"]) };
}

function priceAt(row: Readonly<Record<string, unknown>>, place: Place): Price {
  const [input, output, cacheRead, cacheWrite] = kinds.map((kind) => wholeAt(row[kind], [...place, kind]));
  return { input, output, cacheRead, cacheWrite } as Price;
}

function wholeAt(value: unknown, place: Place): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw wrong(place, value === undefined ? "is missing; 0 is a price too" : "must be a whole number, 0 or more");
}

function objectAt(value: unknown, place: Place, keys?: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw wrong(place, "must be an object");
  const stray = keys && Object.keys(value).find((key) => !keys.includes(key));
  if (stray !== undefined) throw wrong([...place, stray], `is not known; known are ${keys?.join(", ")}`);
  return value;
}

function wrong(path: Place, problem: string): ConfigError {
  const where = path.length === 0 ? "it" : path.join(".");
  return new ConfigError(`The price table was not accepted: ${where} ${problem}.`, { path });
}
