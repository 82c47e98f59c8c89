// What a check finds, and the words in which it says so. A fault is one clause; whether it can be mended, or was, is added to it.
import { isHarnessError, type StoreError } from "@harness/spec";
import { isInputOutput } from "../failures.js";
import type { Transaction } from "../transaction.js";

/** How a fault is mended without a look at any event. */
export interface Remedy {
  /** What was done, as a clause: `it was made again`. */
  readonly done: string;
  readonly work: (tx: Transaction) => void;
}

export interface Fault {
  /** A clause that begins a sentence and has no full stop: `The view "runs" is missing`. */
  readonly what: string;
  /** Absent where nothing can be done without guessing. */
  readonly remedy?: Remedy;
}

export const found = ({ what, remedy }: Fault): string => `${what}${remedy ? "; this can be mended" : ""}.`;
export const mended = ({ what }: Fault, { done }: Remedy): string => `${what}; mended: ${done}.`;
export const stays = ({ what }: Fault): string => `${what}; this cannot be mended and stays.`;
export const failed = ({ what }: Fault, error: unknown): string =>
  `${what}; this could not be mended and stays: ${wordsOf(error)}.`;

/** True where `error` tells of the file itself, and not of a lock, of permissions or of a store that is closed. */
export function isDamage(error: unknown): error is StoreError {
  if (!isHarnessError(error) || error.code !== "store-failed") return false;
  return error.kind === "corrupt" || isInputOutput(error.cause);
}

/** The engine's own words where there are any, since what we would add to them is what the sentence says. */
export function wordsOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const told = cause instanceof Error ? cause : error;
  return (told instanceof Error ? told.message : String(told)).replace(/\.$/, "");
}
