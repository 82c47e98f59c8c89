// Names that a test can write down. Unique within one double, not beyond it: two that share a store need two prefixes.
import { type Ids, runId } from "@harness/spec";

/** Counts from 1: runs are `<prefix>-1`, `<prefix>-2` …, owners `<prefix>-owner-1` …. Default prefix `run`. */
export function countingIds(prefix = "run"): Ids {
  let runs = 0;
  let owners = 0;
  return {
    run: () => {
      runs += 1;
      return runId(`${prefix}-${runs}`);
    },
    owner: () => {
      owners += 1;
      return `${prefix}-owner-${owners}`;
    },
  };
}
