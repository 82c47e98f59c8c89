// A write's record: digests always, lines and a diff where both sides are text that is worth comparing.
import type { Digest, FileChange } from "@harness/spec";
import { decode } from "../text/decode.js";
import { countChangedLines } from "./count-lines.js";
import { compareLines, unifiedDiff } from "./line-changes.js";

/** A change as a tool result carries it. */
export type DescribedChange = FileChange & { readonly diff?: string };

/** What a write did: the bytes on either side, `null` for no file, each with its digest. */
export interface Written {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly digests: { readonly before: Digest | null; readonly after: Digest };
}

/** Bytes of either side, and of the diff, above which no diff is made. */
const maxDiffBytes = 1024 * 1024;

/** Describes what a write did to `path`. What is not text has no lines. */
export async function describeChange(path: string, { before, after, digests }: Written): Promise<DescribedChange> {
  const kind = before ? "changed" : "created";
  const change: DescribedChange = { path, kind, ...countChangedLines(before, after), ...digests };
  if (Math.max(before?.byteLength ?? 0, after.byteLength) > maxDiffBytes) return change;
  const [old, fresh] = [before ? textOf(before) : "", textOf(after)];
  if (old === undefined || fresh === undefined) return change;
  const diff = await unifiedDiff(path, before === null, compareLines(old, fresh));
  return Buffer.byteLength(diff) > maxDiffBytes ? change : { ...change, diff };
}

function textOf(bytes: Uint8Array): string | undefined {
  const decoded = decode(bytes);
  return decoded.type === "text" ? decoded.text : undefined;
}
