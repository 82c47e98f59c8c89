// Going on with a run. Its contract, policy and everything it has done come out of the log; functions and resources are handed
// in again. A run that has ended is reported and not touched, however often it is asked for.
import {
  type EventOf,
  genesis,
  type NewEvent,
  ResumeError,
  type RunHead,
  type RunId,
  type Store,
  type TaskContract,
  type TraceHead,
} from "@harness/spec";
import { needsOf, type SandboxSeat } from "../boundary/containment.js";
import { changeLimits } from "../contract/contract-input.js";
import { evolve } from "../loop/evolve.js";
import { factsOf, initialState, type RunState } from "../loop/state.js";
import { readRow } from "../store/read-log.js";
import { driveRun, named, type Opening } from "./drive-run.js";
import { driverOf, gateWarning, realWorkspace, refusedEndpoints } from "./driver-facts.js";
import { adaptersOf, policyOf, type ResumeOptions, randomIds, sandboxSeatOf, storeOf } from "./options.js";
import { checkMoney, pricingOf } from "./pricing.js";
import { type RunResult, resultOf } from "./result.js";
import { openFeed } from "./watch.js";

/**
 * Goes on with run `id` from its last event. Resolves with the outcome as `run` does. Rejects with `ResumeError` when there is
 * no such run, or it does not wait for what was answered; with `RunConflictError` while someone else drives it.
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
  const { state } = await fold(store, run);
  if (state.status.type !== "ended")
    throw new ResumeError(`Run ${run} ended, but its log does not say how.`, { runId: run });
  return resultOf(state, state.status.outcome);
}

/** Reads the log into a state. What it folds is what was recorded, so it needs no port but the store. */
async function fold(store: Store, run: RunId): Promise<{ state: RunState; head: TraceHead }> {
  let state = initialState(run);
  let head = genesis(run);
  for await (const stored of store.read(run)) {
    const entry = readRow(store, run, stored);
    state = evolve(state, entry instanceof Promise ? await entry : entry);
    head = stored;
  }
  return { state, head: { seq: head.seq, hash: head.hash } };
}

/** Read under the lease: nobody else can be writing what is folded here. */
async function reopen(
  store: Store,
  run: RunId,
  options: ResumeOptions,
  seat: SandboxSeat,
): Promise<Opening | RunResult> {
  const { state, head } = await fold(store, run);
  if (state.status.type === "ended") return resultOf(state, state.status.outcome);
  if (!state.run) throw new ResumeError(`Run ${run} was created and never started. Start it again.`, { runId: run });
  checkAnswers(state, options);
  const contract = contractOf(state, options);
  const given = adaptersOf(options, store, contract);
  const pricing = pricingOf(options, state.run.driver.pricing);
  checkMoney(contract, given.provider, pricing);
  const policy = options.policy === undefined ? state.run.driver.policy : policyOf(options.policy);
  const adapters = { ...given, sandbox: await seat.open(needsOf(contract, policy)) };
  const step = state.step.number;
  const resumed: Omit<EventOf<"run.resumed">, "seq" | "at"> = {
    type: "run.resumed",
    step,
    ...driverOf(adapters, policy, contract, pricing),
    labels: { ...state.run.labels, ...options.labels },
  };
  const events: readonly NewEvent[] = [
    resumed,
    ...(await gateWarning(contract, policy, step, state.marks.unprotected)),
    ...refusedEndpoints(adapters.provider, policy, step),
  ];
  return { state, head, adapters, events };
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

/** An answer to something the run does not wait for is a mistake; taking it silently would hide that. */
function checkAnswers({ id, calls: { list } }: RunState, { decision, recovery }: ResumeOptions): void {
  if (decision && !list.some(({ phase }) => phase === "asked" || phase === "deferred")) {
    throw new ResumeError(`Run ${id} does not wait for an approval, so there is nothing to decide.`, { runId: id });
  }
  const isUnknown = list.some(
    ({ phase, recovery: kind }) =>
      phase === "unknown" || phase === "undecided" || (phase === "started" && kind === "indeterminate"),
  );
  if (recovery && !isUnknown) {
    throw new ResumeError(`Run ${id} has no call whose end is unknown, so there is nothing to recover.`, { runId: id });
  }
}
