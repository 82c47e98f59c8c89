// What a speaker sees: the time that is left, and when to come to an end.
import { parseDuration } from "./duration.js";

/** A timer for a talk of `length`. `now` gives the time in milliseconds. */
export function startTimer(length, now) {
  const endsAt = now() + parseDuration(length) * 1000;
  const secondsLeft = () => Math.max(0, Math.ceil((endsAt - now()) / 1000));
  return {
    secondsLeft,
    /** In the last minute, and after it. */
    shouldFinish: () => secondsLeft() <= 60,
  };
}
