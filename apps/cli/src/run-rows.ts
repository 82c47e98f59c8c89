// Runs as a list shows them. What became of each is read off its ends, however long its log is; what it used, off all of it.
import { attach, type Waiting } from "@harness/core";
import type { PriceTable, RunEvent, RunHead, RunOutcome, Store } from "@harness/spec";
import { providerLabel } from "./provider-module.js";
import { actText } from "./render/acts.js";
import { type LastDriver, waysOn } from "./render/next-commands.js";
import { outcomeOf, outcomeText } from "./render/outcome-text.js";
import { clip } from "./render/printable.js";
import type { ResumableRow } from "./render/resumable-list.js";
import type { RunRow, SpentRow } from "./render/runs-table.js";
import { waitedFor } from "./render/waiting-lines.js";
import { eventAfter, lastDriver, lastStop, readTrace } from "./run-log.js";
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
  // What was undone behind the end, and what came since the head was read, is left out: it would not fit the rest of the row.
  const end = (await lastStop(store, { id, seq }))?.seq ?? seq;
  for await (const event of readTrace(store, id, { after: Math.max(0, end - most) })) {
    if (event.seq > end) break;
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
  const driver = await driverOf(store, head, ends, row);
  if (row.outcome) {
    return { ...row, waitsFor: waitsFor(row.outcome, ends.tail), ways: waysOn(head.id, row.outcome, driver) };
  }
  // Only its whole log tells whether it was cut short while it waited for somebody.
  const [asked] = await attach(store, head.id).waiting();
  const stop = asked && stopFor(asked, row.steps);
  return { ...row, waitsFor: cutShort(row, asked), ways: waysOn(head.id, stop, driver) };
}

/** How it would have stopped if nobody had waited. */
function stopFor({ type, request, call }: Waiting, steps: number): RunOutcome {
  switch (type) {
    case "approval":
      return { type: "awaiting-approval", steps, requestId: request };
    case "question":
      return { type: "awaiting-answer", steps, questionId: request };
    case "plan":
      return { type: "awaiting-plan", steps, planId: request };
    case "recovery":
      return { type: "awaiting-recovery", steps, callId: call };
    default:
      return type satisfies never;
  }
}

function cutShort({ steps }: RunRow, asked: Waiting | undefined): string {
  const where = steps === 0 ? "before its first step" : `in step ${steps}`;
  const what = asked ? `, while it waited for ${waitedFor[asked.type]}` : "";
  return `cut short ${where}${what}: the process that drove it died`;
}

/** The whole log is looked through only for what its ends do not tell: a limit that may have been raised, a provider named late. */
async function driverOf(store: Store, { id }: RunHead, { first }: Ends, { outcome }: RunRow): Promise<LastDriver> {
  const provider = first?.type === "run.started" ? first.labels[providerLabel] : undefined;
  const needsLimits = outcome?.type === "budget" && outcome.limit !== "steps";
  return needsLimits || provider === undefined ? lastDriver(store, id) : { limits: undefined, provider };
}

function waitsFor(outcome: RunOutcome, tail: readonly RunEvent[]): string {
  const asked = asksFor(outcome, tail);
  return `${outcomeText(outcome)}${asked.length > 0 ? `: ${asked.join(", ")}` : ""}`;
}

/** What is asked about, as far back as `tail` goes. */
function asksFor(outcome: RunOutcome, tail: readonly RunEvent[]): readonly string[] {
  switch (outcome.type) {
    case "awaiting-approval":
      return tail.flatMap((event) =>
        event.type === "approval.requested" && event.request === outcome.requestId
          ? event.acts.filter(({ verdict }) => verdict.effect === "ask").map(({ act }) => actText(act))
          : [],
      );
    case "awaiting-answer":
      return tail.flatMap((event) =>
        event.type === "question.asked" && event.question === outcome.questionId && event.content
          ? [clip(event.content.question, 200)]
          : [],
      );
    case "awaiting-plan":
      return tail.flatMap((event) =>
        event.type === "plan.proposed" && event.plan === outcome.planId && event.content
          ? [event.content.steps.map(({ intent }) => clip(intent, 80)).join("; ")]
          : [],
      );
    default:
      return [];
  }
}
