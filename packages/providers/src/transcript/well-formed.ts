// Half a surrogate pair is no text: vendors answer a request that holds one with status 400. Tool output that was cut in the
// middle of a character is where they come from.
import { mapStrings } from "@harness/spec";

/** `value` with U+FFFD for every half of a surrogate pair, in keys too. The same value when there is none. */
export function wellFormed<Value>(value: Value): Value {
  return mapStrings(value, (text) => (text.isWellFormed() ? text : text.toWellFormed()));
}
