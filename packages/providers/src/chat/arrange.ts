// Turns in the order and with the ids that a vendor insists on.
import { mintedId } from "../transcript/call-ids.js";
import type { Turn } from "../transcript/transcript.js";
import type { Quirks } from "./quirks.js";

export function arrangedTurns(turns: readonly Turn[], quirks: Required<Quirks>): readonly Turn[] {
  const merged = quirks.mergeUsers ? mergedUsers(turns) : turns;
  return quirks.callIds === "minted9" ? withMintedIds(merged) : merged;
}

function mergedUsers(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (turn.type === "user" && last?.type === "user") {
      const text = [last.text, turn.text].filter((part) => part !== "").join("\n\n");
      merged[merged.length - 1] = { ...turn, text, images: [...last.images, ...turn.images] };
    } else merged.push(turn);
  }
  return merged;
}

/** Results stand in the order of their calls, in the turn after them. */
function withMintedIds(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn, place) => {
    if (turn.type === "assistant") {
      return { ...turn, calls: turn.calls.map((call, nth) => ({ ...call, id: mintedId(turn.index, nth) })) };
    }
    if (turn.type === "user") return turn;
    const asked = turns[place - 1]?.index ?? 0;
    return { ...turn, results: turn.results.map((result, nth) => ({ ...result, id: mintedId(asked, nth) })) };
  });
}
