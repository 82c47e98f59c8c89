// One class per thing that a caller can act on. Each has a `code`, the facts that it alone knows, and a message that says
// what was attempted, what stopped it and what to do. `isHarnessError` narrows by a registered symbol, because two
// installed copies of this package do not share a class.
import type { RunId } from "./ids.js";
import type { ActType } from "./policy.js";
import type { FailedLink, ProviderFailure, Usage } from "./provider.js";

const mark: unique symbol = Symbol.for("harness.error") as never;

export interface HarnessErrorOptions {
  readonly cause?: unknown;
  readonly runId?: RunId | undefined;
}

/** The root of every error that this project throws on purpose. */
export abstract class HarnessError extends Error {
  abstract readonly code: string;
  readonly [mark] = true;
  /** The run it concerns, where there is one. Set once the run is known. */
  runId: RunId | undefined;

  constructor(message: string, options: HarnessErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.runId = options.runId;
  }
}

/** A contract, a policy or an option is wrong. Nothing was billed and nothing was written. */
export class ConfigError extends HarnessError {
  override readonly name = "ConfigError";
  readonly code = "config-invalid";
  /** Where in the input, as a path of keys: `["limits", "maxSteps"]`. Empty for the whole. */
  readonly path: readonly (string | number)[];

  constructor(message: string, options: HarnessErrorOptions & { readonly path?: readonly (string | number)[] } = {}) {
    super(message, options);
    this.path = options.path ?? [];
  }
}

/** A run cannot be continued as asked. Nothing was written. */
export class ResumeError extends HarnessError {
  override readonly name = "ResumeError";
  readonly code = "resume-refused";
}

/** Another owner drives the run now. Nothing was written. */
export class LeaseLostError extends HarnessError {
  override readonly name = "LeaseLostError";
  readonly code = "lease-lost";

  constructor(run: RunId, reason: string, options: HarnessErrorOptions = {}) {
    super(`Could not append to run ${run}: ${reason}. Read its outcome, or resume it later.`, {
      ...options,
      runId: run,
    });
  }
}

/** The run's tree is being driven by someone else. Nothing was written. */
export class RunConflictError extends HarnessError {
  override readonly name = "RunConflictError";
  readonly code = "run-conflict";

  constructor(
    run: RunId,
    /** Opaque name of the holder. */
    readonly owner: string,
    /** Epoch ms after which the lease lapses if it is not renewed. */
    readonly expiresAt: number,
    options: HarnessErrorOptions = {},
  ) {
    const until = new Date(expiresAt).toISOString();
    super(
      `Run ${run} is being driven by ${owner}, whose lease lasts until ${until}. Wait for it, or stop that process.`,
      {
        ...options,
        runId: run,
      },
    );
  }
}

/**
 * Why a store could not do its work. Only `busy` is worth another try.
 * `missing`: a blob or run that the log names is not there.
 */
export type StoreFailure =
  | "busy"
  | "constraint"
  | "corrupt"
  | "full"
  | "readonly"
  | "closed"
  | "newer-format"
  | "missing"
  | "other";

/** The store could not read or write. What was asked for was not done, not even in part. */
export class StoreError extends HarnessError {
  override readonly name = "StoreError";
  readonly code = "store-failed";

  constructor(
    readonly kind: StoreFailure,
    message: string,
    options: HarnessErrorOptions = {},
  ) {
    super(message, options);
  }

  get isRetryable(): boolean {
    return this.kind === "busy";
  }
}

export interface ProviderErrorFacts extends HarnessErrorOptions {
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The vendor's own code, verbatim. */
  readonly vendorCode?: string;
  /** What the vendor asks us to wait, in ms. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** What the attempt used before it failed, as far as the vendor said: it was billed. */
  readonly usage?: Usage;
  /** Links of a fallback that failed before this one, in order. */
  readonly failedLinks?: readonly FailedLink[];
  /** Overrides what the kind says, for vendors that know better. */
  readonly isRetryable?: boolean;
}

const retryable: ReadonlySet<ProviderFailure> = new Set([
  "transport",
  "timeout",
  "rate-limited",
  "server",
  "malformed",
]);

/** The model's endpoint did not answer with a completion. Only `kind` is stable; the message's wording is the vendor's. */
export class ProviderError extends HarnessError {
  override readonly name = "ProviderError";
  readonly code = "provider-failed";
  readonly isRetryable: boolean;
  readonly status: number | undefined;
  readonly vendorCode: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly usage: Usage | undefined;
  readonly failedLinks: readonly FailedLink[];

  constructor(
    readonly kind: ProviderFailure,
    /** The provider's name, as in the trace. */
    readonly provider: string,
    message: string,
    facts: ProviderErrorFacts = {},
  ) {
    super(message, facts);
    this.isRetryable = facts.isRetryable ?? retryable.has(kind);
    this.status = facts.status;
    this.vendorCode = facts.vendorCode;
    this.retryAfterMs = facts.retryAfterMs;
    this.requestId = facts.requestId;
    this.usage = facts.usage;
    this.failedLinks = facts.failedLinks ?? [];
  }
}

/** `aborted`: the signal fired before anything was started. A command that ran and failed is an outcome, not an error. */
export type SandboxFailure =
  | "unavailable"
  | "spawn-failed"
  | "wrapper-failed"
  | "setup-failed"
  | "requirement-unmet"
  | "aborted";

/** The command never ran. `unavailable`: there is no such program here. */
export class SandboxError extends HarnessError {
  override readonly name = "SandboxError";
  readonly code = "sandbox-failed";

  constructor(
    readonly kind: SandboxFailure,
    message: string,
    options: HarnessErrorOptions = {},
  ) {
    super(message, options);
  }
}

/**
 * A tool will not do what it was asked, whatever the rules say: a path that leaves the workspace, or a target that is not
 * the one that was granted. Thrown by tools; core records it as a refusal and tells the model.
 */
export class ActRefusedError extends HarnessError {
  override readonly name = "ActRefusedError";
  readonly code = "act-refused";

  constructor(
    readonly act: ActType,
    readonly target: string,
    /** One clause, for the trace and the model: `leaves the workspace through the link "outbox"`. */
    readonly reason: string,
    options: HarnessErrorOptions = {},
  ) {
    super(`${act} ${JSON.stringify(target)} was refused: ${reason}.`, options);
  }
}

/** A problem that the model can act on: wrong arguments, a missing file. Thrown by tools; its message is what the model reads. */
export class ToolError extends HarnessError {
  override readonly name = "ToolError";
  readonly code = "tool-failed";
}

export type KnownError =
  | ConfigError
  | ResumeError
  | LeaseLostError
  | RunConflictError
  | StoreError
  | ProviderError
  | SandboxError
  | ActRefusedError
  | ToolError;

/** True for any error of this project, from whichever installed copy. Narrow further by `code`. */
export function isHarnessError(error: unknown): error is KnownError {
  return typeof error === "object" && error !== null && (error as { [mark]?: boolean })[mark] === true;
}
