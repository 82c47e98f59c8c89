// harness resume <id>
import { resolve } from "node:path";
import type { ResumeOptions } from "@harness/core";
import { ConfigError, type RunEvent, type RunHead, type Store } from "@harness/spec";
import { resume } from "io-harness";
import { type AnswerFlags, asBrought, saidBy } from "../answer-options.js";
import { type AnswersFlags, answersFrom } from "../answers-from.js";
import { commandOf } from "../command-line.js";
import { driveWatched } from "../drive-watched.js";
import { exitCodeOf } from "../exit-codes.js";
import { readPrices } from "../prices-file.js";
import type { Terminal } from "../process-terminal.js";
import { chooseProvider, type Recording, replayOf } from "../provider-choice.js";
import { outcomeOf, outcomeText } from "../render/outcome-text.js";
import { clip } from "../render/printable.js";
import { emptyTimeline, follow, type Timeline } from "../render/timeline.js";
import { findRun, lastStop, readTrace } from "../run-log.js";
import { type StorePlace, storePlace, withExistingStore } from "../stores.js";

export interface ResumeFlags extends AnswerFlags, AnswersFlags {
  readonly provider?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly prices?: string;
  readonly unpriced?: "refuse" | "allow";
  readonly maxCostMicros?: number;
  readonly store?: string;
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  readonly maxDurationMs?: number;
  /** To the question that the run waits with. */
  readonly answer?: string;
}

export async function resumeCommand(terminal: Terminal, id: string, flags: ResumeFlags): Promise<number> {
  const stored = storePlace(terminal, flags.store);
  const brought = asBrought(await saidBy(terminal, flags, flags.answer));
  const from = answersFrom(terminal, flags);
  return withExistingStore(stored.path, async (store) => {
    const head = await findRun(store, id, stored.place);
    if (head.state === "ended") return reportEnded(terminal, store, head, stored);
    const prices = await readPrices(terminal, flags.prices);
    const history: RunEvent[] = [];
    for await (const event of readTrace(store, head.id)) history.push(event);
    const provider = await providerFor(terminal, head.id, history.reduce(follow, emptyTimeline), flags);
    const recording = recordingOf(terminal, flags);
    terminal.out.write(`${titleOf(head.id, history)}\n`);
    const drive = { stored, store, provider, recording, history, answersFrom: from };
    return driveWatched(terminal, drive, (watched) =>
      resume(head.id, { ...watched, ...brought, ...changesFrom(flags), ...(prices && { prices }) }),
    );
  });
}

function titleOf(id: string, [first]: readonly RunEvent[]): string {
  const goal = first?.type === "run.started" ? first.content?.contract.goal : undefined;
  return goal === undefined ? `Run ${id}` : `Run ${id}: ${clip(goal, 300)}`;
}

/** A run that has ended is not touched, so it needs no provider. */
async function reportEnded(terminal: Terminal, store: Store, head: RunHead, { place }: StorePlace): Promise<number> {
  const last = await lastStop(store, head);
  if (last?.type !== "run.finished") throw new ConfigError(`Run ${head.id} has ended, and its log does not say how.`);
  const outcome = outcomeOf(last);
  terminal.out.write(`Run ${head.id} has ended, and nothing was done: ${outcomeText(outcome)}.\n`);
  terminal.out.write(`To look at it: ${commandOf(place, "trace", head.id)}\n`);
  return exitCodeOf(outcome);
}

function providerFor(
  terminal: Terminal,
  id: string,
  { started, provider }: Timeline,
  flags: ResumeFlags,
): string | Promise<string> {
  if (flags.replay !== undefined) return replayOf(flags.replay, terminal);
  const model = started?.content?.contract.model;
  if (flags.provider !== undefined) return chooseProvider(flags.provider, terminal, model);
  if (provider !== undefined) return provider;
  throw new ConfigError(`Run ${id} does not say where its provider came from. Pass --provider <name>.`);
}

function recordingOf({ cwd }: Terminal, { record }: ResumeFlags): Recording | undefined {
  return record === undefined ? undefined : { path: resolve(cwd, record), existing: "append" };
}

function changesFrom(flags: ResumeFlags): Pick<ResumeOptions, "limits" | "unpriced"> {
  const { maxSteps, maxTokens, maxDurationMs, maxCostMicros, unpriced } = flags;
  const limits = Object.fromEntries(
    Object.entries({ maxSteps, maxTokens, maxDurationMs, maxCostMicros }).filter(([, value]) => value !== undefined),
  );
  return { limits, ...(unpriced && { unpriced }) };
}
