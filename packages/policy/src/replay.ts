// What-if: a stored trace under another policy. Pure, and one event at a time; it reads what was recorded and never guesses what
// was not.
import { type PolicyData, type RunEventType, type StoredEvent, StoreError, typeOf, unseal } from "@harness/spec";
import type { ExplainOptions } from "./explain.js";
import { policyData } from "./given-policy.js";
import type { Policy } from "./policy.js";
import { ReplayFold } from "./replay-fold.js";
import { replayJudge } from "./replay-judge.js";
import type { PolicyDifference, PolicyReplay } from "./replay-results.js";

export interface ReplayOptions extends ExplainOptions {
  /** Gets each difference as it is found; they are not collected then, so that memory holds none. */
  readonly onDifference?: (difference: PolicyDifference) => void;
}

const telling: ReadonlySet<RunEventType> = new Set([
  "run.started",
  "run.resumed",
  "step.finished",
  "approval.requested",
  "approval.decided",
  "tool.started",
  "tool.finished",
  "act.refused",
  "sandbox.started",
  "gate.started",
  "gate.finished",
]);

/**
 * What `policy` would have decided otherwise of a run, told from its `events` (`store.read(run)`): every recorded act with what was
 * decided then and what is said now. An act counts once for a call, however often the call was made.
 *
 * It says what the same acts would have met, not what a model would have done instead. What walkers (find, grep, list_dir) left
 * out because it was not plainly readable is not recorded, so it cannot be replayed; `unjudged` counts what else cannot. A gate's
 * command counts as decided by its verdict, though a gate asks nobody. An archived run is replayed by its facts.
 *
 * Rejects with `ConfigError` for a policy that cannot be used, and with `StoreError` (`corrupt`) for an event that cannot be read.
 */
export async function replayPolicy(
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  policy: Policy | PolicyData,
  options: ReplayOptions = {},
): Promise<PolicyReplay> {
  const differences: PolicyDifference[] = [];
  const { onDifference = (difference) => differences.push(difference), ...explaining } = options;
  const fold = new ReplayFold(replayJudge(policyData(policy), explaining, onDifference));
  for await (const stored of events) if (telling.has(typeOf(stored))) fold.add(readEvent(stored));
  return { differences, ...fold.end() };
}

/** Words are read of the one event whose words tell something: the contract names the gate's command. */
function readEvent(stored: StoredEvent) {
  try {
    return unseal(stored, typeOf(stored) === "run.started" ? stored.content : null);
  } catch (cause) {
    const message = `Event ${stored.seq} cannot be read: ${(cause as Error).message}. Check the store.`;
    throw new StoreError("corrupt", message, { cause });
  }
}
