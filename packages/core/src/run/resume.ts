// Going on with a run. Its contract, policy and everything it has done come out of the log; functions and resources are handed
// in again. A run that has ended is reported and not touched, however often it is asked for.
import { parsePolicy } from "@harness/policy";
import {
  type EventOf,
  type NewEvent,
  type PolicyData,
  ResumeError,
  type RunEvent,
  type RunHead,
  type RunId,
  type Store,
  type TaskContract,
} from "@harness/spec";
import { needsOf, type SandboxSeat } from "../boundary/containment.js";
import { inboxOf } from "../boundary/inbox.js";
import { changeLimits } from "../contract/contract-input.js";
import { isKnownEvent } from "../events/known-events.js";
import { factsOf, type RunState } from "../loop/state.js";
import { broughtAnswers, checkBrought, leaveAnswers } from "./bring-answers.js";
import { driveRun, named, type Opening } from "./drive-run.js";
import { driverOf, gateWarning, realWorkspace, refusedEndpoints } from "./driver-facts.js";
import { type Folded, foldLog, unfolded } from "./fold-log.js";
import { adaptersOf, policyOf, type ResumeOptions, randomIds, sandboxSeatOf, storeOf } from "./options.js";
import { checkMoney, pricingOf } from "./pricing.js";
import { type RunResult, resultOf } from "./result.js";
import { sharedWarning } from "./shared-workspace.js";
import { openFeed } from "./watch.js";

/**
 * Goes on with run `id` from its last event. Resolves with the outcome as `run` does. Rejects with `ResumeError` when there is
 * no such run, it does not wait for what was answered, or somebody else answered that first and otherwise; with
 * `RunConflictError` while someone else drives it.
 */
export async function resume(id: RunId | string, options: ResumeOptions): Promise<RunResult> {
  const run = id as RunId;
  const store = storeOf(options);
  const feed = openFeed(run, options);
  const sandbox = sandboxSeatOf(options);
  try {
    const head = await findRun(store, run);
    if (head.state === "ended") return await reported(store, run);
    const owner = (options.ids ?? randomIds()).owner();
    const seat = { store, run, owner, leaseTtlMs: options.leaseTtlMs ?? 60_000, signal: options.signal, feed };
    return await driveRun(seat, () => reopen(store, run, options, sandbox));
  } catch (error) {
    throw named(error, run);
  } finally {
    await sandbox.close();
    feed.end();
  }
}

async function findRun(store: Store, run: RunId): Promise<RunHead> {
  const [head] = await store.runs({ id: run });
  if (!head) throw new ResumeError(`There is no run ${run} in this store. List the runs there are.`, { runId: run });
  if (head.root !== run) {
    throw new ResumeError(`Run ${run} belongs to the tree of ${head.root}. Resume that one.`, { runId: run });
  }
  return head;
}

async function reported(store: Store, run: RunId): Promise<RunResult> {
  const { state } = await foldLog(store, unfolded(run));
  if (state.status.type !== "ended")
    throw new ResumeError(`Run ${run} ended, but its log does not say how.`, { runId: run });
  return resultOf(state, state.status.outcome);
}

/** Read under the lease: nobody else can be writing what is folded here. */
async function reopen(
  store: Store,
  run: RunId,
  options: ResumeOptions,
  seat: SandboxSeat,
): Promise<Opening | RunResult> {
  const folded = await foldLog(store, unfolded(run), refuseUnknown);
  const { state } = folded;
  if (state.status.type === "ended") return resultOf(state, state.status.outcome);
  if (!state.run) throw new ResumeError(`Run ${run} was created and never started. Start it again.`, { runId: run });
  checkBrought(options);
  const answers = broughtAnswers(state, options);
  const opening = await openingOf(store, folded, options, seat);
  // The last thing before it is driven: a resume that is refused has answered nothing.
  const { redact } = opening.adapters;
  const clean = answers.map((answer) => redact.value(answer, JSON.stringify(answer)));
  await leaveAnswers(inboxOf(store, run, redact), run, clean);
  return opening;
}

async function openingOf(
  store: Store,
  { state, head }: Folded,
  options: ResumeOptions,
  seat: SandboxSeat,
): Promise<Opening> {
  const { driver, labels } = factsOf(state);
  const { marks } = state;
  const contract = contractOf(state, options);
  const given = adaptersOf(options, store, contract);
  const pricing = pricingOf(options, driver.pricing);
  checkMoney(contract, given.provider, pricing);
  const policy = options.policy === undefined ? recordedPolicy(state) : policyOf(options.policy);
  const adapters = { ...given, sandbox: await seat.open(needsOf(contract, policy)) };
  const step = state.step.number;
  const resumed: Omit<EventOf<"run.resumed">, "seq" | "at"> = {
    type: "run.resumed",
    step,
    ...driverOf(adapters, marks.isPlanning, policy, contract, pricing),
    labels: { ...labels, ...options.labels },
  };
  const events: readonly NewEvent[] = [
    resumed,
    ...(await sharedWarning(store, state.id, contract.workspace, { step, warned: marks.sharedWith })),
    ...(await gateWarning(contract, policy, step, marks.unprotected)),
    ...refusedEndpoints(adapters.provider, policy, step),
  ];
  return { state, head, adapters, events };
}

function refuseUnknown({ type, seq }: RunEvent): void {
  if (isKnownEvent(type)) return;
  throw new ResumeError(
    `Event ${seq} is of the type ${JSON.stringify(type)}, which this version does not know: a newer one wrote it. Resume the run with that.`,
  );
}

/** The policy that the run was last driven under. Without a boundary that can be read there is none to resume it in. */
function recordedPolicy(state: RunState): PolicyData {
  try {
    return parsePolicy(factsOf(state).driver.policy);
  } catch (cause) {
    const message = `The policy that run ${state.id} was driven under cannot be read. Give the resume one as the option \`policy\`.`;
    throw new ResumeError(message, { cause, runId: state.id });
  }
}

function contractOf(state: RunState, options: ResumeOptions): TaskContract {
  const { contract } = factsOf(state);
  if (realWorkspace(contract.workspace) === undefined) {
    throw new ResumeError(
      `Run ${state.id} works in ${contract.workspace}, which is not there. Put it back, then resume.`,
      {
        runId: state.id,
      },
    );
  }
  return { ...contract, limits: changeLimits(contract.limits, options.limits) };
}
