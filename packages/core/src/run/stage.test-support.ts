// A stage for behaviour tests: a workspace folder, a script and a store, driven with everything else filled in. What a test does
// not say is permissive and silent, so that what it does say is what it is about. On the way out every request is checked, as no
// run may ever send one that a vendor would refuse, and so is the chain of the log.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Policy } from "@harness/policy";
import {
  type RunEvent,
  type RunId,
  type RunOutcome,
  runId,
  type Store,
  type StoredEvent,
  verifyTrace,
} from "@harness/spec";
import { countingIds, type Script, type ScriptedProvider, scriptedProvider } from "@harness/testing";
import { afterAll, beforeAll, expect } from "vitest";
import type { ContractInput } from "../contract/contract-input.js";
import { faultsOf } from "../step/requests.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { readLog } from "../store/read-log.js";
import type { DriveOptions, ResumeOptions } from "./options.js";
import type { RunResult } from "./result.js";
import { resume } from "./resume.js";
import { type RunHandle, start } from "./start.js";

/** The run that every stage starts, unless `ids` says otherwise. */
export const theRun = runId("the-run");

export type Overrides = Partial<ResumeOptions> & {
  readonly contract?: Partial<ContractInput>;
  /** For scripts so long that reading the transcript would cost too much; no request is kept or checked then. */
  readonly byCall?: boolean;
};

export interface Driven {
  readonly result: RunResult;
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
  readonly provider: ScriptedProvider;
  readonly store: Store;
}

export interface Begun {
  readonly handle: RunHandle;
  readonly provider: ScriptedProvider;
  readonly store: Store;
}

export interface Stage {
  /** The real path of the workspace. */
  readonly root: string;
  contract(rest?: Partial<ContractInput>): ContractInput;
  /** Starts a run and does not wait for it. */
  begin(script: Script, overrides?: Overrides): Begun;
  /** Runs to the end. Rejects as the run does. */
  drive(script: Script, overrides?: Overrides): Promise<Driven>;
  /** Resumes the run in `store`. */
  goOn(store: Store, script: Script, overrides?: Overrides): Promise<Driven>;
}

/** Call it at the top of a test file. One folder serves all of the file's tests. */
export function openStage(): Stage {
  const owners = countingIds("driver");
  const ids = { run: () => theRun, owner: owners.owner };
  let root = "";
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "harness-core-")));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const contract = (rest: Partial<ContractInput> = {}): ContractInput => ({ goal: "do it", workspace: root, ...rest });
  const options = (
    provider: ScriptedProvider,
    store: Store,
    { contract: _, byCall: __, ...rest }: Overrides,
  ): DriveOptions => ({
    provider,
    store,
    policy: Policy.permissive(),
    environment: {},
    ids,
    ...rest,
  });

  function begin(script: Script, overrides: Overrides = {}): Begun {
    const provider = scriptedProvider(script, { byCall: overrides.byCall ?? false });
    const store = overrides.store ?? memoryStore();
    return { handle: start(contract(overrides.contract), options(provider, store, overrides)), provider, store };
  }

  return {
    get root() {
      return root;
    },
    contract,
    begin,
    async drive(script, overrides) {
      const { handle, provider, store } = begin(script, overrides);
      return driven(await handle.result, provider, store);
    },
    async goOn(store, script, overrides = {}) {
      const provider = scriptedProvider(script);
      const { policy: _, ...asRecorded } = options(provider, store, overrides);
      const policy = overrides.policy ? { policy: overrides.policy } : {};
      return driven(await resume(theRun, { ...asRecorded, ...policy }), provider, store);
    },
  };
}

async function driven(result: RunResult, provider: ScriptedProvider, store: Store): Promise<Driven> {
  expect(faultsOf(provider.requests)).toEqual([]);
  expect(await verifyTrace(store, result.runId)).toMatchObject({ type: "verified" });
  return { result, outcome: result.outcome, events: await eventsIn(store, result.runId), provider, store };
}

/** The log of `run`. */
export async function eventsIn(store: Store, run: RunId = theRun): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const { event } of readLog(store, run)) events.push(event);
  return events;
}

/** The log as it is stored. */
export async function rowsIn(store: Store, run: RunId = theRun): Promise<readonly StoredEvent[]> {
  const rows: StoredEvent[] = [];
  for await (const row of store.read(run)) rows.push(row);
  return rows;
}

/** A store in which a run with the first `count` of `rows` waits to be resumed. */
export async function storeWith(rows: readonly StoredEvent[], count: number = rows.length): Promise<Store> {
  const store = memoryStore();
  await store.create({ id: theRun, root: theRun, parent: null, createdAt: 0 });
  const lease = await store.acquire(theRun, "planter", 1_000);
  await store.append(lease, theRun, rows.slice(0, count));
  await store.release(lease);
  return store;
}

type OfType<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** The events of one type. */
export function only<Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type): readonly OfType<Type>[] {
  return events.filter((event): event is OfType<Type> => event.type === type);
}

/** What came of each call, as `call: status`, in call order: results are recorded as they come. */
export function statuses(events: readonly RunEvent[]): readonly string[] {
  const finished = only(events, "tool.finished").map(({ call, status, step }) => ({ call, status, step }));
  const index = (call: string) => Number(call.split(".")[1]);
  return finished
    .sort((a, b) => a.step - b.step || index(a.call) - index(b.call))
    .map(({ call, status }) => `${call}: ${status}`);
}

/** The types of `events`, in order. */
export function typesOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}
