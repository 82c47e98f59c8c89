// What a driver is given beside the contract: everything that is a function or holds a resource.
import { hostname } from "node:os";
import { netTarget, Policy, policyData } from "@harness/policy";
import {
  type AnyTool,
  type Approver,
  type Clock,
  ConfigError,
  type Decision,
  findSecrets,
  type Ids,
  type LiveUpdate,
  type Observer,
  type PlanGate,
  type PlanVerdict,
  type PolicyData,
  type PriceTable,
  type Provider,
  type RecoveryDecision,
  type Responder,
  redactor,
  runId,
  type Sandbox,
  type SandboxSource,
  type Store,
  systemClock,
  type TaskContract,
} from "@harness/spec";
import { type SandboxSeat, sandboxSeat } from "../boundary/containment.js";
import type { LimitsInput } from "../contract/contract-input.js";
import type { Adapters } from "../loop/open-run.js";
import { memoryStore } from "../store/memory-store.js";
import { offer } from "../tools/core-tools.js";

/** Tools, or how to make them for a contract: on a resume the contract comes out of the log. */
export type ToolSource = readonly AnyTool[] | ((contract: TaskContract) => readonly AnyTool[]);

export interface DriveOptions {
  readonly provider: Provider;
  /** Default: a store in memory, gone with the process. */
  readonly store?: Store;
  /** Default on a start: `Policy.standard()`; on a resume: the one the run was last driven under. */
  readonly policy?: Policy | PolicyData;
  /** Default: none; what would be asked about pauses the run. */
  readonly approver?: Approver;
  /** Answers what the model asks, for a contract with `questions`. Default: none; a question pauses the run. */
  readonly responder?: Responder;
  /** Judges what the model proposes, for a contract with `plan`. Default: none; a proposal pauses the run. */
  readonly planGate?: PlanGate;
  /** Default: no tools. */
  readonly tools?: ToolSource;
  /** Where commands run, or how to make that for a run: what a function makes is closed with the run. Without one, none does. */
  readonly sandbox?: Sandbox | SandboxSource;
  readonly observers?: readonly Observer[];
  /** Text, reasoning and progress as they come; never stored. */
  readonly onLive?: (update: LiveUpdate) => void;
  /** Cancels: what is in flight is aborted and the run pauses as `cancelled`. */
  readonly signal?: AbortSignal;
  /** Kept with the run for whoever looks for it later; the loop does not read them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** How long the run stays ours without a sign of life, in ms. Default 60,000. */
  readonly leaseTtlMs?: number;
  /** Names of environment variables whose values never enter the log, on top of those whose names look secret. */
  readonly secrets?: readonly string[];
  /** Default: the process's own. Read for secrets only. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * What models cost: needed for `limits.maxCostMicros`, and kept with the run. Default on a start: none; on a resume: those the
   * run was last driven with.
   */
  readonly prices?: PriceTable;
  /**
   * Under a budget of money, what is done about a model without a price. `refuse`: the run is not started, or pauses once such a
   * model has answered. `allow`: what it costs is not counted. Default: as before on a resume, `refuse` otherwise.
   */
  readonly unpriced?: "refuse" | "allow";
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: random. */
  readonly ids?: Ids;
}

export interface ResumeOptions extends DriveOptions {
  /** Limits that change from here on; a larger one continues a run that ran out of it. */
  readonly limits?: LimitsInput;
  /** The answer to what the run waits for approval of. */
  readonly decision?: Decision;
  /** The answer to the question that the run waits with. */
  readonly answer?: string;
  /** What is thought of the plan that the run waits with. */
  readonly verdict?: PlanVerdict;
  /** What became of the call that nobody knows about. */
  readonly recovery?: RecoveryDecision;
}

/** The sandbox of a driver, one that is made for it included, checked as its other adapters are. */
export function sandboxSeatOf({ sandbox }: DriveOptions): SandboxSeat {
  return sandboxSeat(sandbox, (made) => checkSpec("sandbox", made));
}

/** The other adapters of a driver, each checked for the version of the ports that it speaks. */
export function adaptersOf(options: ResumeOptions, store: Store, contract: TaskContract): Omit<Adapters, "sandbox"> {
  const { provider, sandbox, tools = [], approver } = options;
  checkSpec("provider", provider);
  checkEndpoints(provider);
  checkImages(provider, contract);
  checkApprover(approver, provider, contract);
  checkLease(options.leaseTtlMs);
  if (typeof sandbox !== "function") checkSpec("sandbox", sandbox);
  if (contract.verify.type === "command" && !sandbox) {
    throw new ConfigError(
      "The contract is verified by a command, and no sandbox was given to run it in. Pass one as the option `sandbox`.",
    );
  }
  return {
    provider,
    store,
    approver: options.decision?.type === "defer" ? deferringOnce(approver) : approver,
    responder: options.responder,
    planGate: options.planGate,
    ...offer(typeof tools === "function" ? tools(contract) : tools, contract),
    clock: options.clock ?? systemClock(),
    redact: redactor(findSecrets(options.environment ?? process.env, options.secrets)),
  };
}

/** A resume that brings no decision yet leaves the request open, whoever else could be asked. */
function deferringOnce(approver: Approver | undefined): Approver | undefined {
  let isDeferred = false;
  return (
    approver && {
      decide(request, options) {
        if (isDeferred) return approver.decide(request, options);
        isDeferred = true;
        return Promise.resolve({ type: "defer" });
      },
    }
  );
}

/** The store to use. Every start without one gets a new one. */
export function storeOf(options: DriveOptions): Store {
  const store = options.store ?? memoryStore();
  checkSpec("store", store);
  return store;
}

/** The caller's policy as data; the standard one where none is given. */
export function policyOf(policy: Policy | PolicyData | undefined): PolicyData {
  return policyData(policy ?? Policy.standard());
}

function checkEndpoints({ name, endpoints }: Provider): void {
  for (const { target } of endpoints) {
    try {
      netTarget(target);
    } catch (cause) {
      const message = `The provider ${name} names ${JSON.stringify(target)} as an endpoint, which is no address: use host:port.`;
      throw new ConfigError(message, { cause, path: ["provider", "endpoints"] });
    }
  }
}

function checkImages({ name, acceptsImages }: Provider, { images = [] }: TaskContract): void {
  if (images.length === 0 || acceptsImages) return;
  throw new ConfigError(
    `The contract has ${images.length === 1 ? "an image" : `${images.length} images`}, and the provider ${name} takes none. Use one that does, or leave them out.`,
    { path: ["images"] },
  );
}

function checkLease(ttlMs: number | undefined): void {
  if (ttlMs === undefined || (Number.isSafeInteger(ttlMs) && ttlMs > 0)) return;
  throw new ConfigError(
    `A lease of ${ttlMs} ms would lapse at once. Give leaseTtlMs a whole number of milliseconds, or none.`,
    {
      path: ["leaseTtlMs"],
    },
  );
}

/** Only models that are named can be compared; a provider that does not name its own passes. */
function checkApprover(approver: Approver | undefined, provider: Provider, contract: TaskContract): void {
  const driving = contract.model ?? provider.model;
  if (approver?.model === undefined || driving === undefined) return;
  if (approver.model.toLowerCase() !== driving.toLowerCase()) return;
  throw new ConfigError(
    `The model ${JSON.stringify(driving)} would approve its own calls. Give the approver another one, or allow it with allowSelfApproval.`,
    { path: ["approver"] },
  );
}

function checkSpec(what: string, port: { readonly spec: number } | undefined): void {
  if (port === undefined) {
    if (what === "provider")
      throw new ConfigError("No provider was given, so there is nothing to ask. Pass one as the option `provider`.");
    return;
  }
  if (port.spec !== 1) {
    throw new ConfigError(
      `The ${what} speaks version ${port.spec} of the ports, this core speaks 1. Install versions that belong together.`,
    );
  }
}

/** Names that sort by time and are unique without asking anyone. */
export function randomIds(): Ids {
  const random = () => crypto.randomUUID().replaceAll("-", "");
  return {
    run: () => runId(`${Date.now().toString(36)}-${random().slice(0, 10)}`),
    owner: () => `${hostname()}:${process.pid}:${random().slice(0, 12)}`,
  };
}
