// What a run has cost, derived from its bills and the prices that its driver brought. The bills are kept, so that a resume with
// other prices can price all of them again: a model that had no price may have one then.
import { type Bill, billsOf, costOf, type Pricing, type RunEvent, type Unpriced } from "@harness/spec";

/** The last bill and those before it: one more costs the same, however many there are. */
interface Billed {
  readonly bill: Bill;
  readonly before: Billed | undefined;
}

export interface CostState {
  readonly bills: Billed | undefined;
  /** The model that the attempt under way asks for; a failure is priced by it. */
  readonly asked: string | null;
  /** Micro-units of the prices' currency, without what is unpriced. 0 without prices. */
  readonly micros: number;
  /** How many of the bills have no price, and the first of them. */
  readonly unpriced: number;
  readonly firstUnpriced: Unpriced | undefined;
}

export const noCost: CostState = {
  bills: undefined,
  asked: null,
  micros: 0,
  unpriced: 0,
  firstUnpriced: undefined,
};

/** `pricing` is what holds after `event`. */
export function evolveCost(cost: CostState, event: RunEvent, pricing: Pricing | undefined): CostState {
  switch (event.type) {
    case "completion.started":
      return event.model === cost.asked ? cost : { ...cost, asked: event.model };
    case "completion.finished":
    case "completion.failed":
      return billsOf(event, cost.asked).reduce((sum, bill) => price(sum, bill, pricing), cost);
    case "run.resumed":
      return inOrder(cost.bills).reduce((sum, bill) => price(sum, bill, pricing), { ...noCost, asked: cost.asked });
    default:
      return cost;
  }
}

function inOrder(bills: Billed | undefined): readonly Bill[] {
  const found: Bill[] = [];
  for (let at = bills; at; at = at.before) found.push(at.bill);
  return found.reverse();
}

function price(cost: CostState, bill: Bill, pricing: Pricing | undefined): CostState {
  const { asked, micros, unpriced, firstUnpriced } = cost;
  const bills = { bill, before: cost.bills };
  if (!pricing) return { bills, asked, micros, unpriced, firstUnpriced };
  const found = costOf(bill.usage, bill.model, pricing.table);
  if (found.type === "priced") return { bills, asked, micros: micros + found.micros, unpriced, firstUnpriced };
  const first = firstUnpriced ?? { why: found.why, model: bill.model };
  return { bills, asked, micros, unpriced: unpriced + 1, firstUnpriced: first };
}
