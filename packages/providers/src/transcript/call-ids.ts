// Ids for vendors that correlate calls with results by id. They are positions, so a rebuilt request has the same bytes, and
// nine letters and digits, which the strictest vendor asks for.

/**
 * The id of call `callIndex` in message `messageIndex`, both counted from 0: `t`, then four hex digits of each.
 * Longer, and still unique, beyond 65,535.
 */
export function mintedId(messageIndex: number, callIndex: number): string {
  return `t${hex(messageIndex)}${hex(callIndex)}`;
}

function hex(position: number): string {
  return position.toString(16).padStart(4, "0");
}
