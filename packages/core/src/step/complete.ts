// Asking for one completion. What comes back is checked, classified and recorded; deltas go to whoever watches, and are void
// when the attempt fails. The provider is asked once: whether it is asked again is decided from the log.
import {
  type Completion,
  type CompletionRequest,
  type Delta,
  type FailedLink,
  isHarnessError,
  isJsonObject,
  type NewEvent,
  type Provider,
  type ProviderError,
  type ProviderFailure,
  type Usage,
} from "@harness/spec";
import { readUsage } from "../outcome/spend.js";
import { graceMs, type Scope, type Settled, within } from "../time/scope.js";
import type { ToolPorts } from "../tools/tool-ports.js";
import { attemptUsage } from "./attempt-usage.js";
import { classifyCalls } from "./classify-calls.js";
import { withLinks } from "./failed-links.js";
import { retryDelayMs } from "./retry.js";

export interface CompletionPorts extends ToolPorts {
  readonly provider: Provider;
  readonly startedAt: number;
  readonly failures: number;
  /** About how long the request is, in UTF-16 units. */
  readonly promptChars: number;
  /** Resolves when the completion before the last is durable: no more than one that was paid for can be lost. */
  paid(): Promise<void>;
}

/** Asks with `request` and records the answer or the failure. */
export async function performCompletion(
  ports: CompletionPorts,
  request: CompletionRequest,
  started: NewEvent,
): Promise<void> {
  await ports.paid();
  ports.record(started);
  const { step, provider } = ports;
  const scope = ports.scopes.open(ports.contract.limits.completionTimeoutMs);
  let isOver = false;
  let replyChars = 0;
  const options = {
    get signal() {
      return scope.signal;
    },
    // An attempt that was left behind may stream on; what is shown belongs to the one that is under way.
    onDelta: (delta: Delta) => {
      if (isOver) return;
      // What came before a reset is on the bill of the link that failed.
      replyChars = "text" in delta ? replyChars + delta.text.length : 0;
      ports.live({ ...delta, step });
    },
  };
  const settled = await within(scope, ports.clock, graceMs, () => provider.complete(request, options));
  isOver = true;
  const failure = failureOf(settled, scope, provider.name);
  if (failure) {
    ports.live({ type: "reset", step });
    // The count that came with a whole answer is whole, however little use the answer is.
    const uncountedChars = settled.type === "value" && failure.usage ? 0 : replyChars;
    ports.record(failedEvent(ports, failure, uncountedChars));
  } else if (settled.type === "value") {
    ports.record(await finishedEvent(ports, settled.value));
  }
}

interface Failure {
  readonly kind: ProviderFailure;
  readonly isRetryable: boolean;
  readonly message: string;
  readonly facts?: ProviderError;
  readonly usage: Usage | null;
  /** As the provider gave them. */
  readonly failedLinks?: readonly FailedLink[] | undefined;
}

/** What arrived counts, however late: it has been paid for. */
function failureOf(settled: Settled<Completion>, scope: Scope, provider: string): Failure | undefined {
  if (settled.type === "value") {
    const wrong = malformation(settled.value);
    if (!wrong) return undefined;
    return {
      kind: "malformed",
      isRetryable: true,
      message: `${provider}: ${wrong}`,
      usage: readUsage(settled.value?.usage),
      failedLinks: settled.value?.failedLinks,
    };
  }
  const error = settled.type === "error" ? settled.error : new Error("it did not answer");
  const { usage, failedLinks } = isProviderError(error) ? error : {};
  const bill = { usage: readUsage(usage), failedLinks };
  if (scope.stopped === "deadline") {
    return { kind: "timeout", isRetryable: true, message: `${provider} did not finish its answer in time`, ...bill };
  }
  if (scope.stopped) return { kind: "cancelled", isRetryable: false, message: "the run was cancelled", ...bill };
  return { ...errorFailure(error, provider), ...bill };
}

function isProviderError(error: unknown): error is ProviderError {
  return isHarnessError(error) && error.code === "provider-failed";
}

function errorFailure(error: unknown, provider: string): Omit<Failure, "usage"> {
  if (isProviderError(error)) {
    return { kind: error.kind, isRetryable: error.isRetryable, message: error.message, facts: error };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isHarnessError(error)) return { kind: "request", isRetryable: false, message };
  return { kind: "transport", isRetryable: true, message: `${provider} failed: ${message}` };
}

/** What makes a completion unusable: acting on half an answer is worse than asking again. */
function malformation(completion: Completion | undefined): string | undefined {
  if (!completion) return "nothing came back";
  const { text, calls, usage, stop } = completion;
  if (!Array.isArray(calls) || !calls.every(isJsonObject)) return "the completion has no list of calls";
  if (stop === "tool-calls" && calls.length === 0) return "it stopped to call a tool and called none";
  if (!text && calls.length === 0 && !usage) return "the completion is empty";
  return undefined;
}

function failedEvent(ports: CompletionPorts, failure: Failure, replyChars: number): NewEvent {
  const { kind, isRetryable, message, facts } = failure;
  const attempt = ports.failures + 1;
  const next = { failures: attempt, isRetryable, retryAfterMs: facts?.retryAfterMs };
  const event = {
    type: "completion.failed",
    step: ports.step,
    attempt,
    kind,
    isRetryable,
    status: facts?.status ?? null,
    vendorCode: facts?.vendorCode ?? null,
    retryInMs: retryDelayMs(next, ports.contract.limits, ports.startedAt, ports.clock.now()),
    ...attemptUsage(failure.usage, ports.promptChars, replyChars),
    content: { message },
  } as const;
  return withLinks(event, failure.failedLinks);
}

async function finishedEvent(ports: CompletionPorts, completion: Completion): Promise<NewEvent> {
  const classified = classifyCalls(ports.tools, completion.calls);
  const calls = classified instanceof Promise ? await classified : classified;
  const { text, reasoning, continuation } = completion;
  const event = {
    type: "completion.finished",
    step: ports.step,
    attempt: ports.failures + 1,
    model: completion.model ?? null,
    servedBy: completion.servedBy ?? null,
    stop: completion.stop,
    finishReason: completion.finishReason ?? null,
    usage: readUsage(completion.usage),
    ttftMs: completion.ttftMs ?? null,
    requestId: completion.requestId ?? null,
    calls,
    content: {
      text: text || null,
      reasoning: reasoning || null,
      calls: completion.calls.map(({ arguments: input, invalidArguments }) => ({
        arguments: input ?? null,
        ...(invalidArguments === undefined ? {} : { invalidArguments }),
      })),
      ...(continuation ? { continuation } : {}),
    },
  } as const;
  return withLinks(event, completion.failedLinks);
}
