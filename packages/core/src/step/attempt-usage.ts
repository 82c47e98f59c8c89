// What a failed attempt is charged for. Vendors count a prompt when they begin and the answer when they end, so an attempt that
// was cut off has told half of it at most; the other half is taken from what had come, and said to be so.
import type { Usage } from "@harness/spec";
import { addEstimate, noSpend } from "../outcome/spend.js";

export interface AttemptUsage {
  readonly usage: Usage | null;
  readonly isEstimated?: true;
}

/** Lengths are in UTF-16 units. Nothing is charged for where nothing was reported and nothing had come. */
export function attemptUsage(reported: Usage | null, promptChars: number, replyChars: number): AttemptUsage {
  const { estimatedCompletions: _, ...guess } = addEstimate(noSpend, promptChars, replyChars);
  if (reported === null) return replyChars === 0 ? { usage: null } : { usage: guess, isEstimated: true };
  // Half of it leaves room for text that needs few tokens: what is further off was counted before the answer came.
  const isWhole = reported.completionTokens * 2 >= guess.completionTokens;
  if (isWhole) return { usage: reported };
  const { completionTokens } = guess;
  const totalTokens = reported.totalTokens - reported.completionTokens + completionTokens;
  return { usage: { ...reported, completionTokens, totalTokens: Math.max(totalTokens, 0) }, isEstimated: true };
}
