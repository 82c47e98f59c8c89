// The agenda of a day: talks one after another, with a break between any two.
import { formatClock, parseClock } from "./clock.js";
import { parseDuration } from "./duration.js";

/**
 * Gives each of `talks` ({ title, length: "45m" }) a start and an end, in their order.
 */
export function planAgenda(talks, { startsAt, breakMinutes = 10 }) {
  let now = parseClock(startsAt);
  return talks.map(({ title, length }) => {
    const start = now;
    const end = start + parseDuration(length);
    now = end + breakMinutes;
    return { title, start: formatClock(start), end: formatClock(end) };
  });
}
