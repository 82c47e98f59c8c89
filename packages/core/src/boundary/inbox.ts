// The inbox of a run: where every answer is left before it counts, those of this process included. That the first one wins is
// the store's promise; that an answer counts for what it was given to, and for nothing else, is checked here.
import type { Answer, Redactor, RunId, Store } from "@harness/spec";
import { readAnswer } from "./read-answer.js";

export type AnswerType = Answer["type"];
export type AnswerOf<Type extends AnswerType> = Extract<Answer, { type: Type }>;

/** What is asked: an answer counts only for both. */
export interface Asked<Type extends AnswerType> {
  readonly type: Type;
  readonly request: AnswerOf<Type>["request"];
}

export interface Inbox {
  /** The answer that is there by now. */
  find<Type extends AnswerType>(asked: Asked<Type>): Promise<AnswerOf<Type> | undefined>;
  /** Resolves with the answer when it comes; to `undefined` when `signal` fires first. */
  wait<Type extends AnswerType>(asked: Asked<Type>, signal: AbortSignal): Promise<AnswerOf<Type> | undefined>;
  /** Leaves `answer`, without its secrets. False when there is one to the same request. */
  leave(answer: Answer): Promise<boolean>;
}

export function inboxOf(store: Pick<Store, "answer" | "answers">, run: RunId, redact: Redactor): Inbox {
  return {
    find: (asked) => search(store.answers(run), asked),
    wait: (asked, signal) => search(store.answers(run, { follow: signal }), asked),
    leave: (answer) => store.answer(run, redact.value(answer, JSON.stringify(answer))),
  };
}

async function search<Type extends AnswerType>(
  answers: AsyncIterable<Answer>,
  { type, request }: Asked<Type>,
): Promise<AnswerOf<Type> | undefined> {
  for await (const given of answers) {
    if (given.request !== request || given.type !== type) continue;
    const answer = readAnswer(given);
    // There is one answer to a request, so behind one that cannot be read there is no other.
    return answer.type === "unreadable" ? undefined : (answer as AnswerOf<Type>);
  }
  return undefined;
}
