// Lengths of time as people write them: "1h30m", "45m", "90s".

const secondsIn = { h: 3600, m: 60, s: 1 };

/**
 * The length that `text` stands for. Parts may be left out, but not put in another order.
 * Throws for anything else.
 */
export function parseDuration(text) {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!match || text === "") {
    throw new Error(`Not a length of time: ${JSON.stringify(text)}. Write it like 1h30m.`);
  }
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return hours * secondsIn.h + minutes * secondsIn.m + seconds * secondsIn.s;
}
