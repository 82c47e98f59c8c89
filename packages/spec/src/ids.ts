// Ids are strings with a brand, so that a call's id cannot be handed in where a run's is wanted.
// Everything inside a run is named by its position (`step.index`), never by a log's `seq`:
// the same call has the same name in a run that was cut and in one that was not.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** One drive of a contract to an outcome. */
export type RunId = Branded<"run">;
/** `<step>.<index>`, both counted from 1: the second call of step 3 is `3.2`. */
export type CallId = Branded<"call">;
/** `<run>/<step>.<index>` of the call that is asked about; `/recovery/<nth>` behind it where what became of it is the question. */
export type RequestId = Branded<"request">;
/** `<run>/<step>.<index>` of the call that asks. */
export type QuestionId = Branded<"question">;
/** `<run>/<step>.<index>` of the call that proposes. */
export type PlanId = Branded<"plan">;
/** `<run>/<step>.<index>` of the call that sends. */
export type MessageId = Branded<"message">;
/** SHA-256 in lower-case hex of the bytes it names. */
export type Digest = Branded<"digest">;

/** Reads `text` as a run's id. Throws `TypeError` when empty, longer than 200 characters, or holding control characters. */
export function runId(text: string): RunId {
  if (text.length === 0 || text.length > 200 || /[\p{Cc}]/u.test(text)) {
    throw new TypeError(`Not a run id: ${JSON.stringify(text.slice(0, 60))}. Use 1–200 printable characters.`);
  }
  return text as RunId;
}

/** Names the call at `index` (from 1) of `step` (from 1). */
export function callId(step: number, index: number): CallId {
  return `${step}.${index}` as CallId;
}

/** A call's name outside its run, also its idempotency key: `<run>/<step>.<index>`. */
export function qualified<Id extends RequestId | QuestionId | PlanId | MessageId>(run: RunId, call: CallId): Id {
  return `${run}/${call}` as Id;
}
