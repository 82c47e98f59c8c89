// Runs as a list shows them. What became of each is read off its ends, however long its log is; what it used, off all of it.
import type { PriceTable, RunEvent, RunHead, Store } from "@harness/spec";
import { providerLabel } from "./provider-module.js";
import { actText } from "./render/acts.js";
import { type LastDriver, waysOn } from "./render/next-commands.js";
import { outcomeOf, outcomeText } from "./render/outcome-text.js";
import type { ResumableRow } from "./render/resumable-list.js";
import type { RunRow, SpentRow } from "./render/runs-table.js";
import { eventAfter, lastDriver, readTrace } from "./run-log.js";
import { spendOf } from "./run-spend.js";
import { stateOf } from "./run-state.js";

/** The newest `limit` runs, newest first, with what each has used: by `prices`, else by those it was driven with. */
export async function runRows(
  store: Store,
  limit: number,
  now: number,
  prices?: PriceTable,
): Promise<readonly SpentRow[]> {
  const heads = await store.runs({ limit });
  return Promise.all(
    heads.map(async (head) => {
      const [ends, spend] = await Promise.all([endsOf(store, head, 1), spendOf(store, head, prices)]);
      return { ...rowOf(head, ends, now), ...spend };
    }),
  );
}

/** The newest `limit` runs that a resume would go on with, newest first. */
export async function resumableRows(store: Store, limit: number, now: number): Promise<readonly ResumableRow[]> {
  // Whether somebody drives a run is not for the store to say, so all that may be are looked at: their heads, not their logs.
  const [paused, running] = await Promise.all([
    store.runs({ state: "paused", limit }),
    store.runs({ state: "running", limit: Number.MAX_SAFE_INTEGER }),
  ]);
  const left = [...paused, ...running.filter((head) => stateOf(head, now) === "interrupted")];
  const heads = left.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
  return Promise.all(heads.map((head) => resumableRow(store, head, now)));
}

/** The first event of a run, and the last ones. */
interface Ends {
  readonly first: RunEvent | undefined;
  readonly tail: readonly RunEvent[];
}

async function endsOf(store: Store, { id, seq }: RunHead, most: number): Promise<Ends> {
  const first = await eventAfter(store, id, 0);
  const tail: RunEvent[] = [];
  // What came since the head was read is left out: it would not fit the rest of the row.
  for await (const event of readTrace(store, id, { after: Math.max(0, seq - most) })) {
    if (event.seq > seq) break;
    tail.push(event);
  }
  return { first, tail };
}

function rowOf(head: RunHead, { first, tail }: Ends, now: number): RunRow {
  const last = tail.at(-1);
  const hasStopped = last?.type === "run.finished" || last?.type === "run.paused";
  return {
    id: head.id,
    state: stateOf(head, now),
    outcome: hasStopped ? outcomeOf(last) : null,
    steps: hasStopped ? last.steps : (last?.step ?? 0),
    createdAt: head.createdAt,
    goal: (first?.type === "run.started" ? first.content?.contract.goal : null) ?? null,
  };
}

/** So many events from the last one back, a question that pauses a run is asked. */
const questionWithin = 16;

async function resumableRow(store: Store, head: RunHead, now: number): Promise<ResumableRow> {
  const ends = await endsOf(store, head, questionWithin);
  const row = rowOf(head, ends, now);
  const outcome = row.outcome ?? undefined;
  const ways = waysOn(head.id, outcome, await driverOf(store, head, ends, row));
  return { ...row, waitsFor: waitsFor(row, ends.tail), ways };
}

/** The whole log is looked through only for what its ends do not tell: a limit that may have been raised, a provider named late. */
async function driverOf(store: Store, { id }: RunHead, { first }: Ends, { outcome }: RunRow): Promise<LastDriver> {
  const provider = first?.type === "run.started" ? first.labels[providerLabel] : undefined;
  const needsLimits = outcome?.type === "budget" && outcome.limit !== "steps";
  return needsLimits || provider === undefined ? lastDriver(store, id) : { limits: undefined, provider };
}

function waitsFor({ outcome, steps }: RunRow, tail: readonly RunEvent[]): string {
  if (outcome === null) {
    const where = steps === 0 ? "before its first step" : `in step ${steps}`;
    return `cut short ${where}: the process that drove it died`;
  }
  const asked = askedActs(outcome, tail);
  return `${outcomeText(outcome)}${asked.length > 0 ? `: ${asked.join(", ")}` : ""}`;
}

function askedActs(outcome: NonNullable<RunRow["outcome"]>, tail: readonly RunEvent[]): readonly string[] {
  if (outcome.type !== "awaiting-approval") return [];
  const { requestId } = outcome;
  return tail.flatMap((event) =>
    event.type === "approval.requested" && event.request === requestId
      ? event.acts.filter(({ verdict }) => verdict.effect === "ask").map(({ act }) => actText(act))
      : [],
  );
}
