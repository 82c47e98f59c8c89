// What a run has used so far, as its reader is told. Everything that was billed counts, whatever came of it.
import { type Bill, billsOf, type EventOf } from "@harness/spec";

export interface Totals {
  readonly completions: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Completions whose vendor did not say what they cost. */
  readonly uncounted: number;
  /** Attempts that were cut off before their vendor had counted all of them. */
  readonly estimated: number;
  readonly refusals: number;
}

export const noTotals: Totals = {
  completions: 0,
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  uncounted: 0,
  estimated: 0,
  refusals: 0,
};

export interface Account {
  readonly totals: Totals;
  readonly bills: readonly Bill[];
}

/** The account with what `event` adds; `asked` is the model that it was asked of. */
export function billed(
  { totals, bills }: Account,
  event: EventOf<"completion.finished" | "completion.failed">,
  asked: string | null,
): Account {
  const added = billsOf(event, asked);
  const isAnswer = event.type === "completion.finished";
  const completions = totals.completions + (isAnswer ? 1 : 0);
  const estimated = totals.estimated + (!isAnswer && event.isEstimated ? 1 : 0);
  return { totals: added.reduce(spent, { ...totals, completions, estimated }), bills: [...bills, ...added] };
}

function spent(totals: Totals, { usage }: Bill): Totals {
  return {
    ...totals,
    promptTokens: totals.promptTokens + (usage?.promptTokens ?? 0),
    completionTokens: totals.completionTokens + (usage?.completionTokens ?? 0),
    totalTokens: totals.totalTokens + (usage?.totalTokens ?? 0),
    uncounted: totals.uncounted + (usage === null ? 1 : 0),
  };
}
