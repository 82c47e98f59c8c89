// Settling what a run asks: whoever is in this process and whoever leaves an answer in the inbox race, and the first one counts.
// What is asked is durable before; what was answered is left in the inbox before it counts, so that two who answer at once, or
// a process that dies in between, come to one answer.
import { type Answer, onAbort } from "@harness/spec";
import type { AnswerOf, AnswerType, Asked, Inbox } from "./inbox.js";

/** Nobody decided: the run waits for someone who does. */
export interface Undecided {
  readonly type: "undecided";
  /** `nobody` where there was nobody to ask. */
  readonly by: string;
  /** Why, where there is a reason. */
  readonly detail: string | null;
}

/** Asks whoever is in this process. `signal` fires when the answer is not wanted any more. */
export type AskHere<Type extends AnswerType> = (signal: AbortSignal) => Promise<AnswerOf<Type> | Undecided>;

const answeredElsewhere = "It was answered elsewhere.";

type Came<Type extends AnswerType> =
  | { readonly from: "here"; readonly answer: AnswerOf<Type> | Undecided }
  | { readonly from: "inbox"; readonly answer: AnswerOf<Type> };

/**
 * Resolves to the answer that counts, and to `undefined` when `signal` fired first; what comes after that is dropped. What was
 * answered before, by whomever, is taken without asking again. Rejects only when the store cannot be read or written.
 */
export async function settle<Type extends AnswerType>(
  inbox: Inbox,
  asked: Asked<Type>,
  here: AskHere<Type> | undefined,
  signal: AbortSignal,
): Promise<AnswerOf<Type> | Undecided | undefined> {
  const given = await inbox.find(asked);
  if (signal.aborted) return undefined;
  if (given) return given;
  if (!here) return { type: "undecided", by: "nobody", detail: null };
  const first = await race(inbox, asked, here, signal);
  if (!first || signal.aborted) return undefined;
  if (first.from === "inbox") return first.answer;
  // Not to decide is no answer: whoever gave one meanwhile was first.
  if (first.answer.type === "undecided") return (await inbox.find(asked)) ?? first.answer;
  return (await inbox.leave(first.answer as Answer)) ? first.answer : ((await inbox.find(asked)) ?? first.answer);
}

async function race<Type extends AnswerType>(
  inbox: Inbox,
  asked: Asked<Type>,
  here: AskHere<Type>,
  signal: AbortSignal,
): Promise<Came<Type> | undefined> {
  const over = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    over.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const leave = onAbort(signal, () => over.abort(signal.reason));
  try {
    const inHere = here(over.signal).then((answer): Came<Type> => ({ from: "here", answer }));
    const elsewhere = inbox.wait(asked, over.signal).then(
      // An inbox that ends without an answer, as one that is closed does, has not won.
      (answer): Came<Type> | Promise<undefined> => (answer ? { from: "inbox", answer } : stopped),
    );
    return await Promise.race([inHere, elsewhere, stopped]);
  } finally {
    leave();
    over.abort(new Error(answeredElsewhere));
  }
}
