// How the suite sees what a provider did: the error that it rejected with, what it told its watcher, and conditions that come true
// in their own time.
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { type Delta, isHarnessError, type ProviderError } from "@harness/spec";
import { expect } from "vitest";

/** Long enough for a loaded machine; a condition that holds is seen at once. */
const patienceMs = 20_000;

/** Waits until `condition` holds. Throws, saying that `what` did not happen. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited ${patienceMs} ms in vain: ${what}.`);
    await pause(2);
  }
}

/** The `ProviderError` that `asked` rejects with. Throws when it resolves, or rejects with anything else. */
export async function failureOf(asked: Promise<unknown>): Promise<ProviderError> {
  const outcome = await asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("value" in outcome) throw new Error(`A failure was expected, and there was an answer: ${inspect(outcome.value)}`);
  const { error } = outcome;
  if (isHarnessError(error) && error.code === "provider-failed") return error;
  throw new Error("The provider rejected with something that is not a ProviderError.", { cause: error });
}

/** Passes when `asked` rejects with a `ConfigError` that says what to do. */
export async function refusedAsMisuse(asked: Promise<unknown>): Promise<void> {
  await expect(asked).rejects.toMatchObject({ code: "config-invalid", message: expect.stringMatching(/\S+ \S+/) });
}

export interface Watcher {
  readonly deltas: readonly Delta[];
  readonly onDelta: (delta: Delta) => void;
  /** The text deltas, joined; `null` when there were none. */
  text(): string | null;
}

export function watcher(): Watcher {
  const deltas: Delta[] = [];
  return {
    deltas,
    onDelta: (delta) => void deltas.push(delta),
    text: () =>
      deltas.reduce<string | null>((all, delta) => (delta.type === "text" ? `${all ?? ""}${delta.text}` : all), null),
  };
}

/** Everything that a person, a log or a serialiser could get to see of a value. */
export function allOf(value: unknown): string {
  const shown = inspect(value, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null });
  const parts = [shown, String(value), JSON.stringify(value) ?? ""];
  if (value instanceof Error) parts.push(value.stack ?? "", value.message, allOf(value.cause));
  return parts.join("\n");
}
