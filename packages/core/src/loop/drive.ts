// The loop: decide what must happen, perform it, record what came of it. There is one, whether it is watched, resumed or
// neither; a run that was cut goes on here as if nothing had happened.
import type { RunOutcome } from "@harness/spec";
import { performGate } from "../gate/perform-gate.js";
import { assemble } from "../step/assemble.js";
import { performCompletion } from "../step/complete.js";
import { performAsk } from "../tools/perform-ask.js";
import { performCalls } from "../tools/perform-calls.js";
import { performQuestion } from "../tools/perform-question.js";
import { performReview } from "../tools/perform-review.js";
import { performRecovery } from "../tools/recover.js";
import type { Next } from "./decide.js";
import type { OpenRun } from "./open-run.js";
import { factsOf } from "./state.js";

/** Drives `run` until it stops and everything is durable. Rejects when the log cannot be written, or for a defect of ours. */
export async function drive(run: OpenRun): Promise<RunOutcome> {
  for (;;) {
    if (run.failure) throw run.failure.error;
    const { next } = run;
    if (next.type === "stop") {
      await run.durable();
      return next.outcome;
    }
    try {
      await perform(run, next);
    } catch (error) {
      throw causeOf(run, error);
    }
  }
}

/** Once the log has failed, that is why everything else did. */
function causeOf({ failure }: OpenRun, error: unknown): unknown {
  return failure ? failure.error : error;
}

function perform(run: OpenRun, next: Exclude<Next, { type: "stop" }>): Promise<void> | void {
  switch (next.type) {
    case "complete":
      return complete(run);
    case "backoff":
      return backOff(run, next.until);
    case "call":
      return performCalls(run, next.calls);
    case "ask":
      return performAsk(run, next.call);
    case "question":
      return performQuestion(run, next.call);
    case "review":
      return performReview(run, next.call);
    case "recover":
      return performRecovery(run, next.call);
    case "gate":
      return performGate(run, next.attempt);
    case "record":
      return run.record(...next.events);
    case "wait":
      throw new Error(`Run ${run.state.id} waits for something that is not under way.`);
    default:
      return next satisfies never;
  }
}

function complete(run: OpenRun): Promise<void> {
  const { state } = run;
  const { contract, system } = factsOf(state);
  const { messages, digest } = state.transcript;
  return performCompletion(run, assemble(system, messages, run.tools.specs, contract), {
    type: "completion.started",
    step: state.step.number,
    attempt: state.step.failures + 1,
    model: contract.model ?? run.provider.model ?? null,
    messages: messages.length,
    digest,
    reserved: 0,
  });
}

/** Waits for the next attempt's time; a run that is stopped meanwhile waits no longer. */
async function backOff(run: OpenRun, until: number): Promise<void> {
  const { clock, scopes } = run;
  const waitMs = until - clock.now();
  if (waitMs > 0) {
    const scope = scopes.open(Number.POSITIVE_INFINITY);
    await clock.sleep(waitMs, { signal: scope.signal }).catch(() => {});
    scope.close();
    if (scope.stopped) return;
  }
  await complete(run);
}
