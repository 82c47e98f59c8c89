// A write's record: digests always, lines and a diff where both sides are text that is worth comparing.
import { type FileChange, sha256 } from "@harness/spec";
import { decode } from "../text/decode.js";
import { compareLines, unifiedDiff } from "./line-changes.js";

/** A change as a tool result carries it. */
export type DescribedChange = FileChange & { readonly diff?: string };

/** Bytes of either side, and of the diff, above which no diff is made. */
const maxDiffBytes = 1024 * 1024;

/** Describes what a write of `after` over `before` (`null` for no file) did to `path`. What is not text has no lines. */
export async function describeChange(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
): Promise<DescribedChange> {
  const [old, fresh] = [before ? textOf(before) : "", textOf(after)];
  const compared = compareLines(old ?? "", fresh ?? "");
  const change: DescribedChange = {
    path,
    kind: before ? "changed" : "created",
    added: compared.added,
    removed: compared.removed,
    before: before && sha256(before),
    after: sha256(after),
  };
  const isLarge = Math.max(before?.byteLength ?? 0, after.byteLength) > maxDiffBytes;
  if (old === undefined || fresh === undefined || isLarge) return change;
  const diff = await unifiedDiff(path, before === null, compared);
  return Buffer.byteLength(diff) > maxDiffBytes ? change : { ...change, diff };
}

function textOf(bytes: Uint8Array): string | undefined {
  const decoded = decode(bytes);
  return decoded.type === "text" ? decoded.text : undefined;
}
