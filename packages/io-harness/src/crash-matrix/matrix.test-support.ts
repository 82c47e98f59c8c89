// Which kill points there are, which of them are tried, and what is compared.
import type { RunResult } from "@harness/core";
import { canonical, type Gaps, withoutLines } from "./canonical.test-support.js";
import type { KillPoint } from "./kill-switch.test-support.js";
import type { Played } from "./play.test-support.js";

/** A kill point in one of a scenario's stages. */
export interface Cut extends KillPoint {
  /** From 0. */
  readonly stage: number;
  /** For messages. */
  readonly where: string;
}

/** Every point at which a process of the uncut run could have been killed. */
export function cutsOf({ sites }: Pick<Played, "sites">): readonly Cut[] {
  return sites.flatMap((passed, stage) =>
    passed.flatMap(({ label, sides }, site) =>
      sides.map((side) => ({ stage, site, side, where: `process ${stage + 1}, ${side} ${site}: ${label}` })),
    ),
  );
}

/** How many points each scenario may try so that together they try `wanted`: those with few try them all. */
export function fairShare(counts: readonly number[], wanted: number): number {
  const tried = (share: number) => counts.reduce((sum, count) => sum + Math.min(count, share), 0);
  let share = 1;
  while (tried(share) < wanted && tried(share + 1) > tried(share)) share += 1;
  return share;
}

/** At most `most` of `items`, evenly spread, the first and the last among them. */
export function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / Math.max(1, most - 1);
  return Array.from({ length: most }, (_, nth) => items[Math.round(nth * step)] as Item);
}

/** What a run that was cut, and has `gaps` in its log, must have in common with the one that was not. */
export function comparable(played: Played, gaps: Gaps): object {
  const { result, again, isUntouched, events, effects, files } = played;
  const described = (one: RunResult) =>
    gaps.undescribed.size > 0 ? { ...one, changes: one.changes.map(withoutLines) } : one;
  return {
    ...{ result: described(result), again: described(again), isUntouched },
    ...{ trace: canonical(events, gaps), effects, files },
  };
}
