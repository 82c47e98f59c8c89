// Starting a run. `run` is `start` awaited: there is one way in, watched or not.
import {
  ConfigError,
  canonicalJson,
  genesis,
  type LiveUpdate,
  type NewEvent,
  type Pricing,
  type RunEvent,
  type RunId,
  type Store,
  sha256,
  type TaskContract,
} from "@harness/spec";
import { needsOf } from "../boundary/containment.js";
import { type ContractInput, parseContract } from "../contract/contract-input.js";
import type { Adapters } from "../loop/open-run.js";
import { initialState } from "../loop/state.js";
import { composeSystem } from "../step/prompt.js";
import { driveRun, named, type Opening } from "./drive-run.js";
import { driverOf, gateWarning, realWorkspace, refusedEndpoints, toolsIn } from "./driver-facts.js";
import { adaptersOf, type DriveOptions, policyOf, randomIds, sandboxSeatOf, storeOf } from "./options.js";
import { checkMoney, pricingOf } from "./pricing.js";
import type { RunResult } from "./result.js";
import { sharedWarning } from "./shared-workspace.js";
import { type Feed, openFeed } from "./watch.js";

/** A run under way. Iterating it gives its events, each once it is durable; leaving the iteration stops watching, nothing else. */
export interface RunHandle extends AsyncIterable<RunEvent> {
  readonly runId: RunId;
  /** Resolves with the outcome, whatever it is. Rejects for a store that cannot write, a lost lease, or a defect of ours. */
  readonly result: Promise<RunResult>;
  /** Text, reasoning and progress as they come; never stored. */
  readonly live: AsyncIterable<LiveUpdate>;
}

/** Runs `contract` until it stops. Rejects with `ConfigError`, nothing billed, for a wrong contract or option. */
export async function run(contract: ContractInput, options: DriveOptions): Promise<RunResult> {
  return start(contract, options).result;
}

/** Starts `contract` and returns at once. Throws `ConfigError` for a wrong contract or option. */
export function start(contract: ContractInput, options: DriveOptions): RunHandle {
  const parsed = locate(parseContract(contract));
  const store = storeOf(options);
  const policy = policyOf(options.policy);
  const adapters = adaptersOf(options, store, parsed);
  const pricing = pricingOf(options);
  checkMoney(parsed, adapters.provider, pricing);
  const id = (options.ids ?? randomIds()).run();
  return handleOf(id, store, openFeed(id, options), (feed) =>
    begin({ id, contract: parsed, policy, pricing, adapters, options, feed }),
  );
}

function locate(contract: TaskContract): TaskContract {
  const workspace = realWorkspace(contract.workspace);
  if (workspace !== undefined) return { ...contract, workspace };
  throw new ConfigError(`The workspace ${contract.workspace} is not a folder. Nothing was started.`, {
    path: ["workspace"],
  });
}

interface Beginning {
  readonly id: RunId;
  readonly contract: TaskContract;
  readonly policy: ReturnType<typeof policyOf>;
  readonly pricing: Pricing | undefined;
  readonly adapters: Omit<Adapters, "sandbox">;
  readonly options: DriveOptions;
  readonly feed: Feed;
}

/** With its sandbox, which is made before anything is stored: a run that may not be without one leaves no trace of a start. */
async function begin(beginning: Beginning): Promise<RunResult> {
  const { contract, policy, adapters, options } = beginning;
  const seat = sandboxSeatOf(options);
  try {
    const sandbox = await seat.open(needsOf(contract, policy));
    return await beginWith(beginning, { ...adapters, sandbox });
  } finally {
    await seat.close();
  }
}

async function beginWith(beginning: Beginning, adapters: Adapters): Promise<RunResult> {
  const { id, contract, policy, options, feed } = beginning;
  const { store, clock, provider } = adapters;
  await store.create({ id, root: id, parent: null, createdAt: clock.now(), workspace: contract.workspace });
  const owner = (options.ids ?? randomIds()).owner();
  const seat = { store, run: id, owner, leaseTtlMs: options.leaseTtlMs ?? 60_000, signal: options.signal, feed };
  return driveRun(seat, async (): Promise<Opening> => {
    const shared = await sharedWarning(store, id, contract.workspace, { step: 0, warned: undefined });
    const warnings = [...shared, ...(await gateWarning(contract, policy, 0, []))];
    const events = [startedEvent(beginning, adapters), ...warnings, ...refusedEndpoints(provider, policy, 0)];
    return { state: initialState(id), head: genesis(id), adapters, events };
  });
}

function startedEvent({ id, contract, policy, pricing, options }: Beginning, adapters: Adapters): NewEvent {
  const { workspace, limits: _, ...rest } = contract;
  const driver = driverOf(adapters, contract.plan, policy, contract, pricing);
  const system = composeSystem(driver);
  return {
    type: "run.started",
    step: 0,
    run: id,
    root: id,
    parent: null,
    workspace,
    ...driver,
    digests: {
      contract: sha256(canonicalJson(contract)),
      system: sha256(system),
      tools: sha256(canonicalJson(toolsIn(contract.plan, adapters).specs)),
    },
    labels: options.labels ?? {},
    content: { contract: rest, system },
  };
}

/** A handle whose promises nobody has to look at: what they reject with is seen by those who do. */
function handleOf(id: RunId, store: Store, feed: Feed, work: (feed: Feed) => Promise<RunResult>): RunHandle {
  const result = work(feed).then(
    (done) => {
      feed.end();
      return done;
    },
    (error: unknown) => {
      feed.end({ error: named(error, id) });
      throw error;
    },
  );
  result.catch(() => {});
  return { runId: id, result, live: feed.live, [Symbol.asyncIterator]: () => feed.events(store, id, 0) };
}
