// What a write answers. The same words whether it was seen to happen or found out after a crash.
import type { ToolResult } from "@harness/spec";
import type { Place } from "../paths/place.js";
import { describeChange, type Written } from "./describe-change.js";

/** The answer of a write that would have changed nothing. */
export function unchanged(place: Place): ToolResult {
  const text = `${place.target} is unchanged: it already has exactly this content. Nothing was written.`;
  return { text, changes: [], changed: false };
}

/** The answer of a write. */
export async function report(place: Place, written: Written): Promise<ToolResult> {
  const change = await describeChange(place.realTarget, written);
  const lines = `${change.added} ${change.added === 1 ? "line" : "lines"} added, ${change.removed} removed`;
  const what = change.kind === "created" ? "Created" : "Changed";
  return { text: `${what} ${naming(place)}: ${lines}, ${written.after.byteLength} bytes now.`, changes: [change] };
}

/** The answer of a write of `after` when all that is left of what was there is its digest. */
export async function reportWithoutPrior(
  place: Place,
  after: Uint8Array,
  digests: Written["digests"],
): Promise<ToolResult> {
  const text = `Changed ${naming(place)}: ${after.byteLength} bytes now; what it held before was not kept.`;
  return { text, changes: [{ path: place.realTarget, kind: "changed", added: 0, removed: 0, ...digests }] };
}

function naming({ target, realTarget }: Place): string {
  return target === realTarget ? target : `${target} (a link to ${realTarget})`;
}
