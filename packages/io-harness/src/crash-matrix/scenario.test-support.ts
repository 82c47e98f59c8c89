// What a scripted run of the crash matrix consists of: data and pure functions, because the process that is killed and the one
// that looks at what is left read the same list.
import type { ContractInput, LimitsInput, Seat, Waiting } from "@harness/core";
import type { Policy } from "@harness/policy";
import { type Answer, type Approver, type PlanGate, type Responder, type RunOutcome, runId } from "@harness/spec";
import type { Script } from "@harness/testing";

export const theRun = runId("the-run");

/**
 * What one process does. `start` drives until somebody is needed, `drive` to the end, with what the scenario's person says and
 * its larger limits; `answer` leaves the person's answers in the inbox while nobody drives; `rewind` undoes the run's files.
 */
export type Stage = "start" | "answer" | "rewind" | "drive";

export interface Scenario {
  readonly name: string;
  /** `failures`: how often the completion of a step has failed, as far as the log knows. */
  readonly script: (failures: (step: number) => number) => Script;
  readonly contract?: Partial<ContractInput>;
  /** Default: everything is allowed. */
  readonly policy?: Policy;
  /** Files of the workspace beside those that every scenario has. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Another run that has not ended works in the same workspace. */
  readonly hasNeighbour?: true;
  /** Is given a seat beside its own run. */
  readonly approver?: (seat: Seat) => Approver;
  readonly responder?: Responder;
  readonly planGate?: PlanGate;
  /** What a person says to what the run waits for. */
  readonly answers?: (waiting: Waiting) => Answer;
  /** Whether what a person says comes with a resume or lies in the inbox before it. Default `resume`. */
  readonly delivery?: "resume" | "inbox";
  /** What a run that ran out of its budget is resumed with. */
  readonly moreLimits?: LimitsInput;
  /** One process each, in order. Default: one that drives. */
  readonly stages?: readonly Stage[];
  readonly ends: RunOutcome["type"];
}

export function stagesOf({ stages = ["drive"] }: Scenario): readonly Stage[] {
  return stages;
}
