// What a run has used, for a list of runs. Every completion of its log counts, so the whole log is gone through; only the facts
// of what has to do with money are read.
import {
  type Bill,
  billsOf,
  type PriceTable,
  type RunHead,
  type Store,
  type StoredEvent,
  totalOf,
  typeOf,
  unseal,
} from "@harness/spec";

export interface RunSpend {
  readonly tokens: number;
  /** `null` where there are no prices. */
  readonly cost: ShownCost | null;
}

export interface ShownCost extends Pick<PriceTable, "asOf" | "currency"> {
  /** Micro-units, without what is unpriced. */
  readonly micros: number;
  /** How many completions have no price. */
  readonly unpriced: number;
}

/** Up to the head's last event. Without `prices`, by those the run was last driven with, where it was driven with any. */
export async function spendOf(store: Store, { id, seq }: RunHead, prices?: PriceTable): Promise<RunSpend> {
  let account: Account = { bills: [], asked: null, prices: undefined };
  for await (const stored of store.read(id)) {
    if (stored.seq > seq) break;
    account = entered(account, stored);
  }
  const tokens = account.bills.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  return { tokens, cost: costBy(account.bills, prices ?? account.prices) };
}

/** What `bills` cost, as it is shown; `null` without prices. */
export function costBy(bills: readonly Bill[], prices: PriceTable | undefined): ShownCost | null {
  if (!prices) return null;
  const { asOf, currency } = prices;
  return { ...totalOf(bills, prices), asOf, ...(currency === undefined ? {} : { currency }) };
}

interface Account {
  readonly bills: Bill[];
  readonly asked: string | null;
  readonly prices: PriceTable | undefined;
}

const entries = new Set([
  "run.started",
  "run.resumed",
  "completion.started",
  "completion.finished",
  "completion.failed",
]);

function entered(account: Account, stored: StoredEvent): Account {
  if (!entries.has(typeOf(stored))) return account;
  const event = unseal(stored, null);
  switch (event.type) {
    case "run.started":
    case "run.resumed":
      return { ...account, prices: event.pricing?.table };
    case "completion.started":
      return { ...account, asked: event.model };
    case "completion.finished":
    case "completion.failed":
      account.bills.push(...billsOf(event, account.asked));
      return account;
    default:
      return account;
  }
}
