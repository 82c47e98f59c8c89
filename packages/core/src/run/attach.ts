// A seat beside a run: it sees what happens and answers what the run asks, and drives nothing. The run may be driven by this
// process or another one, pause, or have lost its driver; an answer then waits for whoever resumes it.
import {
  type Answer,
  ConfigError,
  type ReadOptions,
  ResumeError,
  type RunEvent,
  type RunId,
  redactor,
  type Store,
} from "@harness/spec";
import { reservedNames } from "../boundary/ask-here.js";
import { inboxOf } from "../boundary/inbox.js";
import { readAnswer } from "../boundary/read-answer.js";
import { type Waiting, waitingOf } from "../loop/waiting.js";
import { readRow } from "../store/read-log.js";
import { type Folded, foldLog, unfolded } from "./fold-log.js";

export interface Seat {
  /** The events, in order; with `follow` also those that come, until it fires or the run ends. Rejects as `readLog` does. */
  events(options?: ReadOptions): AsyncIterable<RunEvent>;
  /** What the run has asked and nobody has answered yet, in the order in which it wants to know. */
  waiting(): Promise<readonly Waiting[]>;
  /**
   * Leaves `answer` for the run. True for the first one; false when the request was answered before. Rejects with `ConfigError`
   * for what is no answer or is given in a name that stands for a part of the run, and with `ResumeError` when the run does not
   * ask that; nothing is written then.
   */
  answer(answer: Answer): Promise<boolean>;
}

/** Attaches to run `id` of `store`, which may be created later. Nothing has to be closed. */
export function attach(store: Store, id: RunId | string): Seat {
  const run = id as RunId;
  const inbox = inboxOf(store, run, redactor());
  // One reading after the other, each from where the last one ended.
  let folding: Promise<Folded> = Promise.resolve(unfolded(run));

  function fold(): Promise<Folded> {
    const before = folding;
    const next = before.then((folded) => foldLog(store, folded));
    folding = next.catch(() => before);
    return next;
  }

  async function waiting(): Promise<readonly Waiting[]> {
    const asked = waitingOf((await fold()).state);
    const open = await Promise.all(asked.map(async (one) => ((await inbox.find(one)) ? [] : [one])));
    return open.flat();
  }

  async function answer(given: Answer): Promise<boolean> {
    const checked = check(given);
    const asked = waitingOf((await fold()).state).some(
      ({ type, request }) => type === checked.type && request === checked.request,
    );
    if (asked) return inbox.leave(checked);
    if (await inbox.find(checked)) return false;
    throw new ResumeError(
      `Run ${run} does not wait for an answer of type "${checked.type}" to ${checked.request}. Look at what it waits for.`,
      { runId: run },
    );
  }

  return { events: (options) => events(store, run, options), waiting, answer };
}

async function* events(store: Store, run: RunId, options: ReadOptions = {}): AsyncGenerator<RunEvent> {
  for await (const stored of store.read(run, options)) yield (await readRow(store, run, stored)).event;
}

function check(given: Answer): Answer {
  const answer = readAnswer(given);
  if (answer.type === "unreadable") {
    throw new ConfigError(`The answer was not accepted: ${answer.detail}. To leave a request open, do not answer it.`);
  }
  if (!reservedNames.has(answer.by)) return answer;
  throw new ConfigError(`"${answer.by}" stands for a part of the run. Answer in the name of who decided.`, {
    path: ["by"],
  });
}
