// State after an event. Pure: each room folds its own slice, in the order in which a run is read, because the transcript is
// built from what the calls have become.
import { withRemembered } from "@harness/policy";
import type { Driver, EventOf, RunEvent, SealedEvent, TaskContract } from "@harness/spec";
import { evolveGate } from "../gate/gate-state.js";
import { evolveCost } from "../outcome/cost.js";
import { pauseOutcome } from "../outcome/pause.js";
import { addCompletion, type Spend } from "../outcome/spend.js";
import { evolveStall } from "../step/stall.js";
import { evolveStep } from "../step/step-state.js";
import { evolveTranscript } from "../step/transcript.js";
import { evolveCalls } from "../tools/call-state.js";
import { evolveFiles } from "../tools/file-state.js";
import { evolveMarks, type Marks } from "./marks.js";
import { promptChars, type RunFacts, type RunState, type RunStatus } from "./state.js";

/** `stored` has the length and the digest of the event's words, which need not be found out again. */
export function evolve(state: RunState, sealed: SealedEvent): RunState {
  const { event, stored } = sealed;
  const run = evolveFacts(state.run, event, state.marks);
  const step = evolveStep(state.step, event);
  const calls = evolveCalls(state.calls, event, stored.contentHash, state.id);
  return {
    // Written out: a literal of one shape costs a fraction of a spread, and this is done for every event.
    id: state.id,
    seq: event.seq,
    now: event.at,
    status: evolveStatus(state.status, event),
    run,
    step,
    calls,
    transcript: run
      ? evolveTranscript(state.transcript, sealed, calls, {
          contract: run.contract,
          isPlanning: state.marks.isPlanning,
        })
      : state.transcript,
    stall: evolveStall(state.stall, event, run?.contract.limits.stallWindow ?? 0),
    gate: evolveGate(state.gate, event),
    spend: evolveSpend(state, event),
    cost: evolveCost(state.cost, event, run?.driver.pricing),
    marks: evolveMarks(state.marks, event),
    files: evolveFiles(state.files, event),
  };
}

function evolveStatus(status: RunStatus, event: RunEvent): RunStatus {
  switch (event.type) {
    case "run.started":
    case "run.resumed":
      return { type: "running" };
    case "run.paused":
      return { type: "paused", outcome: pauseOutcome(event) };
    case "run.finished":
      return { type: "ended", outcome: { steps: event.steps, ...event.ending } };
    default:
      return status;
  }
}

function evolveFacts(run: RunFacts | undefined, event: RunEvent, { remembered, inForce }: Marks): RunFacts | undefined {
  switch (event.type) {
    case "run.started":
      return started(event);
    case "run.resumed": {
      if (!run) return run;
      const driver = { ...driverOf(event), policy: withRemembered(event.policy, remembered.slice(0, inForce)) };
      return { ...run, driver, labels: event.labels, contract: { ...run.contract, limits: event.limits } };
    }
    case "step.finished": {
      if (!run || remembered.length === inForce) return run;
      return { ...run, driver: { ...run.driver, policy: withRemembered(run.driver.policy, remembered) } };
    }
    default:
      return run;
  }
}

function started(event: EventOf<"run.started">): RunFacts {
  const { contract, system } = event.content;
  const whole: TaskContract = { ...contract, workspace: event.workspace, limits: event.limits };
  return {
    contract: whole,
    system,
    driver: driverOf(event),
    startedAt: event.at,
    labels: event.labels,
    digests: event.digests,
  };
}

function driverOf(event: EventOf<"run.started" | "run.resumed">): Driver {
  const { provider, policy, limits, tools, backend, enforces, containment, pricing } = event;
  const driver = { provider, policy, limits, tools, backend, enforces };
  return { ...driver, ...(containment ? { containment } : {}), ...(pricing ? { pricing } : {}) };
}

function evolveSpend(state: RunState, event: RunEvent): Spend {
  if (event.type !== "completion.finished" && event.type !== "completion.failed") return state.spend;
  return addCompletion(state.spend, event, promptChars(state));
}
