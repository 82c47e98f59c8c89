// The state of a run: what its log says, folded. It is made of slices, one per room; an event replaces only those it touches,
// and lists grow by sharing, so step 10,000 costs what step 20 did.
import type { Driver, EventOf, RunId, RunOutcome, TaskContract } from "@harness/spec";
import { type GateState, noGate } from "../gate/gate-state.js";
import { type CostState, noCost } from "../outcome/cost.js";
import { noSpend, type Spend } from "../outcome/spend.js";
import { noStall, type StallState } from "../step/stall.js";
import { noStep, type StepState } from "../step/step-state.js";
import { noTranscript, type Transcript } from "../step/transcript.js";
import { type CallsState, noCalls } from "../tools/call-state.js";
import { type FileState, noFiles } from "../tools/file-state.js";
import { type Marks, noMarks } from "./marks.js";

/** What a run is, and who drives it. Known from the first event on. */
export interface RunFacts {
  readonly contract: TaskContract;
  readonly system: string;
  readonly driver: Driver;
  readonly startedAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly digests: EventOf<"run.started">["digests"];
}

export type RunStatus =
  | { readonly type: "new" }
  | { readonly type: "running" }
  | { readonly type: "paused" | "ended"; readonly outcome: RunOutcome };

export interface RunState {
  readonly id: RunId;
  /** The last event's. */
  readonly seq: number;
  readonly now: number;
  readonly status: RunStatus;
  /** Undefined until `run.started`. */
  readonly run: RunFacts | undefined;
  readonly step: StepState;
  readonly calls: CallsState;
  readonly transcript: Transcript;
  readonly stall: StallState;
  readonly gate: GateState;
  readonly spend: Spend;
  readonly cost: CostState;
  readonly marks: Marks;
  readonly files: FileState;
}

export function initialState(id: RunId): RunState {
  return {
    id,
    seq: 0,
    now: 0,
    status: { type: "new" },
    run: undefined,
    step: noStep,
    calls: noCalls,
    transcript: noTranscript,
    stall: noStall,
    gate: noGate,
    spend: noSpend,
    cost: noCost,
    marks: noMarks,
    files: noFiles,
  };
}

/** The facts of a run that has begun. Throws for one that has not: a defect of ours, never of a caller. */
export function factsOf(state: RunState): RunFacts {
  if (!state.run) throw new Error(`Run ${state.id} has no run.started yet.`);
  return state.run;
}

/** About how long a request is now, in UTF-16 units. Images are not counted. */
export function promptChars(state: RunState): number {
  return factsOf(state).system.length + state.transcript.chars;
}
