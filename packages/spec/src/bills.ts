// What of a log was billed: every answer, every attempt that failed after it began, and every link of a fallback that failed
// before another answered. The loop's budgets and whoever reads a log later count by these and by nothing else.
import type { EventOf } from "./events/run-event.js";
import { costOf, type PriceTable } from "./pricing.js";
import type { Usage } from "./provider.js";

/** Something that a vendor charges for. */
export interface Bill {
  /** What answered, or was asked where nothing did; `null` where nobody said. */
  readonly model: string | null;
  /** `null` where the vendor said nothing, which is not zero. */
  readonly usage: Usage | null;
}

/** What bills come to. */
export interface BillTotal {
  /** Micro-units of the table's currency, without what is unpriced. */
  readonly micros: number;
  /** How many of the bills have no price. */
  readonly unpriced: number;
}

/** What `event` adds to the bill. `asked` is the model of the `completion.started` before it. */
export function billsOf(
  event: EventOf<"completion.finished" | "completion.failed">,
  asked: string | null,
): readonly Bill[] {
  const own = ownBill(event, asked);
  const bills = own ? [own] : [];
  const links = event.failedLinks?.filter(({ usage }) => usage !== null);
  return links ? [...links.map(({ model, usage }) => ({ model, usage })), ...bills] : bills;
}

function ownBill(event: EventOf<"completion.finished" | "completion.failed">, asked: string | null): Bill | undefined {
  if (event.type === "completion.finished") return { model: event.model, usage: event.usage };
  if (event.usage === null) return undefined;
  // Behind links that failed another one was asked, and by another name.
  return { model: event.failedLinks ? null : asked, usage: event.usage };
}

/** What `bills` cost by `table`. Each is rounded for itself, as each is billed. */
export function totalOf(bills: Iterable<Bill>, table: PriceTable): BillTotal {
  let micros = 0;
  let unpriced = 0;
  for (const { model, usage } of bills) {
    const cost = costOf(usage, model, table);
    if (cost.type === "priced") micros += cost.micros;
    else unpriced += 1;
  }
  return { micros, unpriced };
}
