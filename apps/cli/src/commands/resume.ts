// harness resume <id>

import type { ResumeOptions } from "@harness/core";
import { ConfigError, type RunEvent, type RunHead, type Store } from "@harness/spec";
import { abort, approve, completed, deny, resume, retry } from "io-harness";
import { commandOf } from "../command-line.js";
import { driveWatched } from "../drive-watched.js";
import { exitCodeOf } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { locateProvider } from "../provider-module.js";
import { outcomeOf, outcomeText } from "../render/outcome-text.js";
import { clip } from "../render/printable.js";
import { eventAfter, findRun, lastDriver, readTrace } from "../run-log.js";
import { type StorePlace, storePlace, withExistingStore } from "../stores.js";

export interface ResumeFlags {
  readonly provider?: string;
  readonly store?: string;
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  readonly maxDurationMs?: number;
  readonly approve?: boolean;
  readonly deny?: string;
  readonly retry?: boolean;
  readonly completed?: string;
  readonly abort?: boolean;
}

export async function resumeCommand(terminal: Terminal, id: string, flags: ResumeFlags): Promise<number> {
  const stored = storePlace(terminal, flags.store);
  return withExistingStore(stored.path, async (store) => {
    const head = await findRun(store, id, stored.place);
    if (head.state === "ended") return reportEnded(terminal, store, head, stored);
    const provider = await providerFor(terminal, store, head, flags);
    const history: RunEvent[] = [];
    for await (const event of readTrace(store, head.id)) history.push(event);
    terminal.out.write(`${titleOf(head.id, history)}\n`);
    return driveWatched(terminal, { stored, store, provider, history }, (watched) =>
      resume(head.id, { ...watched, ...optionsFrom(flags) }),
    );
  });
}

function titleOf(id: string, [first]: readonly RunEvent[]): string {
  const goal = first?.type === "run.started" ? first.content?.contract.goal : undefined;
  return goal === undefined ? `Run ${id}` : `Run ${id}: ${clip(goal, 300)}`;
}

/** A run that has ended is not touched, so it needs no provider. */
async function reportEnded(terminal: Terminal, store: Store, head: RunHead, { place }: StorePlace): Promise<number> {
  const last = await eventAfter(store, head.id, head.seq - 1);
  if (last?.type !== "run.finished") throw new ConfigError(`Run ${head.id} has ended, and its log does not say how.`);
  const outcome = outcomeOf(last);
  terminal.out.write(`Run ${head.id} has ended, and nothing was done: ${outcomeText(outcome)}.\n`);
  terminal.out.write(`To look at it: ${commandOf(place, "trace", head.id)}\n`);
  return exitCodeOf(outcome);
}

async function providerFor({ cwd }: Terminal, store: Store, { id }: RunHead, flags: ResumeFlags): Promise<string> {
  if (flags.provider !== undefined) return locateProvider(flags.provider, cwd);
  const { provider } = await lastDriver(store, id);
  if (provider !== undefined) return provider;
  throw new ConfigError(`Run ${id} does not say where its provider came from. Pass --provider <module>.`);
}

function optionsFrom(flags: ResumeFlags): Pick<ResumeOptions, "limits" | "decision" | "recovery"> {
  const { maxSteps, maxTokens, maxDurationMs } = flags;
  const limits = Object.fromEntries(
    Object.entries({ maxSteps, maxTokens, maxDurationMs }).filter(([, value]) => value !== undefined),
  );
  const decision = flags.approve ? approve() : flags.deny === undefined ? undefined : deny(flags.deny);
  const recovery = flags.retry
    ? retry()
    : flags.abort
      ? abort()
      : flags.completed === undefined
        ? undefined
        : completed(flags.completed);
  return { limits, ...(decision && { decision }), ...(recovery && { recovery }) };
}
