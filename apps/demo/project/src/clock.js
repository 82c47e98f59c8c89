// Times of day, as minutes since midnight.

const minutesInDay = 24 * 60;

/** Minutes since midnight at "09:30". */
export function parseClock(text) {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!match) throw new Error(`Not a time of day: ${JSON.stringify(text)}. Write it like 09:30.`);
  return Number(match[1]) * 60 + Number(match[2]);
}

/** "09:30"; a time past midnight is a time of the next day. */
export function formatClock(minutes) {
  const ofDay = ((minutes % minutesInDay) + minutesInDay) % minutesInDay;
  const two = (number) => String(number).padStart(2, "0");
  return `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`;
}
