// harness approvals answer <run> [<request>]
import { attach, type Waiting } from "@harness/core";
import { type Answer, ConfigError, ResumeError, type RunHead, type RunId, type Store } from "@harness/spec";
import { type AnswerFlags, type Said, saidBy } from "../answer-options.js";
import { commandOf } from "../command-line.js";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { answerWords } from "../render/answer-words.js";
import { paintFor } from "../render/paint.js";
import { clip } from "../render/printable.js";
import { findRun } from "../run-log.js";
import { stateOf } from "../run-state.js";
import { type StorePlace, storePlace, withExistingStore } from "../stores.js";
import { resumeWords } from "../waiting-rows.js";

export interface ApprovalsAnswerFlags extends AnswerFlags {
  readonly store?: string;
  readonly text?: string;
  readonly by?: string;
}

export async function approvalsAnswerCommand(
  terminal: Terminal,
  id: string,
  request: string | undefined,
  flags: ApprovalsAnswerFlags,
): Promise<number> {
  const said = await saidBy(terminal, flags, flags.text);
  if (!said) {
    throw new ConfigError(
      "No answer was given. Pass --approve, --deny <reason>, --text <answer>, --plan <verdict> or --recover <what>.",
    );
  }
  const by = flags.by ?? nameOf(terminal);
  const stored = storePlace(terminal, flags.store);
  return withExistingStore(stored.path, async (store) => {
    const head = await findRun(store, id, stored.place);
    const asked = await answered(store, head.id, request, { said, by });
    const { green } = paintFor(terminal.out, terminal.env);
    terminal.out.write(`${green("answered")} ${clip(asked, 200)}: ${clip(by, 80)} ${answerWords(said)}\n`);
    terminal.out.write(`${await whatNow(terminal, store, head, stored)}\n`);
    return exitCodes.done;
  });
}

/** Whoever is logged in, unless that is a name that stands for a part of the run. */
function nameOf({ env }: Terminal): string {
  const name = env.USER || env.LOGNAME || env.USERNAME || "";
  return name === "" || name === "nobody" ? "cli" : name;
}

interface Given {
  readonly said: Said;
  readonly by: string;
}

/** Leaves the answer. Resolves to the request; throws `ResumeError` where there is none that it answers, or not any more. */
async function answered(
  store: Store,
  run: RunId,
  named: string | undefined,
  { said, by }: Given,
): Promise<Answer["request"]> {
  const seat = attach(store, run);
  const request = (named ?? (await onlyOne(store, run, await seat.waiting(), said.type))) as Answer["request"];
  if (await seat.answer({ ...said, request, by } as Answer)) return request;
  const first = await lastAnswer(store, run, (answer) => answer.request === request);
  throw new ResumeError(`Nothing was changed: ${first ? beforeText(first) : `${request} was answered before.`}`, {
    runId: run,
  });
}

/** The request that is meant where none is named: the only one of its kind. */
async function onlyOne(store: Store, run: RunId, waiting: readonly Waiting[], type: Answer["type"]): Promise<string> {
  const [first, ...others] = waiting.filter((one) => one.type === type);
  if (first && others.length === 0) return first.request;
  if (first) {
    const all = listed([first, ...others]);
    throw new ResumeError(`Run ${run} waits for ${others.length + 1} answers of that kind. Name one: ${all}.`, {
      runId: run,
    });
  }
  const last = await lastAnswer(store, run, (answer) => answer.type === type);
  const open = waiting.length > 0 ? ` It waits for: ${listed(waiting)}.` : "";
  const before = last ? ` The last one was given: ${beforeText(last)}` : "";
  throw new ResumeError(`Run ${run} waits for no answer of that kind.${open}${before}`, { runId: run });
}

function listed(waiting: readonly Waiting[]): string {
  return waiting.map(({ type, request }) => `${request} (${type})`).join(", ");
}

function beforeText(answer: Answer): string {
  return `${clip(answer.by, 80)} has answered ${answer.request} before, and ${answerWords(answer).replace(/\.?$/, ".")}`;
}

async function lastAnswer(store: Store, run: RunId, isMeant: (answer: Answer) => boolean): Promise<Answer | undefined> {
  let found: Answer | undefined;
  for await (const answer of store.answers(run)) if (isMeant(answer)) found = answer;
  return found;
}

/** Whether somebody takes the answer, told by the lease as it is now. */
async function whatNow(terminal: Terminal, store: Store, { id }: RunHead, { place }: StorePlace): Promise<string> {
  const [head] = await store.runs({ id });
  if (!head) return "The run is gone.";
  if (head.state === "ended") return "The process that drove the run took it, and the run has ended.";
  if (stateOf(head, terminal.clock.now()) === "running") return "The process that drives the run goes on with it.";
  return `Nobody drives the run. To go on with it: ${commandOf(place, ...(await resumeWords(store, head)))}`;
}
