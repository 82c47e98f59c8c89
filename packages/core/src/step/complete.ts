// Asking for one completion. What comes back is checked, classified and recorded; deltas go to whoever watches, and are void
// when the attempt fails. The provider is asked once: whether it is asked again is decided from the log.
import {
  type Completion,
  type CompletionRequest,
  type Delta,
  isHarnessError,
  isJsonObject,
  type NewEvent,
  type ProposedCall,
  type Provider,
  type ProviderError,
  type ProviderFailure,
  type RecordedCall,
  type Usage,
} from "@harness/spec";
import { readUsage } from "../outcome/spend.js";
import { graceMs, type Scope, type Settled, within } from "../time/scope.js";
import { type ParsedInput, parseInput } from "../tools/parse-input.js";
import type { ToolPorts } from "../tools/tool-ports.js";
import { recoveryOf, type ToolTable } from "../tools/tool-table.js";
import { retryDelayMs } from "./retry.js";

export interface CompletionPorts extends ToolPorts {
  readonly provider: Provider;
  readonly startedAt: number;
  readonly failures: number;
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
  const options = {
    get signal() {
      return scope.signal;
    },
    // An attempt that was left behind may stream on; what is shown belongs to the one that is under way.
    onDelta: (delta: Delta) => isOver || ports.live({ ...delta, step }),
  };
  const settled = await within(scope, ports.clock, graceMs, () => provider.complete(request, options));
  isOver = true;
  const failure = failureOf(settled, scope, provider.name);
  if (failure) {
    ports.live({ type: "reset", step });
    ports.record(failedEvent(ports, failure));
  } else if (settled.type === "value") {
    ports.record(await finishedEvent(ports, settled.value));
  }
}

interface Failure {
  readonly kind: ProviderFailure;
  readonly isRetryable: boolean;
  readonly message: string;
  readonly facts?: ProviderError;
  readonly usage?: Usage | null;
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
    };
  }
  if (scope.stopped === "deadline") {
    return { kind: "timeout", isRetryable: true, message: `${provider} did not finish its answer in time` };
  }
  if (scope.stopped) return { kind: "cancelled", isRetryable: false, message: "the run was cancelled" };
  const error = settled.type === "error" ? settled.error : new Error("it did not answer");
  return errorFailure(error, provider);
}

function errorFailure(error: unknown, provider: string): Failure {
  if (isHarnessError(error) && error.code === "provider-failed") {
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

function failedEvent(ports: CompletionPorts, { kind, isRetryable, message, facts, usage }: Failure): NewEvent {
  const attempt = ports.failures + 1;
  const next = { failures: attempt, isRetryable, retryAfterMs: facts?.retryAfterMs };
  return {
    type: "completion.failed",
    step: ports.step,
    attempt,
    kind,
    isRetryable,
    status: facts?.status ?? null,
    vendorCode: facts?.vendorCode ?? null,
    retryInMs: retryDelayMs(next, ports.contract.limits, ports.startedAt, ports.clock.now()),
    usage: usage ?? null,
    content: { message },
  };
}

async function finishedEvent(ports: CompletionPorts, completion: Completion): Promise<NewEvent> {
  const classified = completion.calls.map((call) => classify(ports.tools, call));
  const calls = classified.some(isPending) ? await Promise.all(classified) : (classified as RecordedCall[]);
  const { text, reasoning, continuation } = completion;
  return {
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
  };
}

function isPending(call: RecordedCall | Promise<RecordedCall>): boolean {
  return call instanceof Promise;
}

/** The class is written on the call, so that a resume with other tools treats it as it was. */
function classify(tools: ToolTable, call: ProposedCall): RecordedCall | Promise<RecordedCall> {
  const parsed = parseInput(tools, call);
  return parsed instanceof Promise
    ? parsed.then((checked) => classOf(tools, call, checked))
    : classOf(tools, call, parsed);
}

function classOf(tools: ToolTable, call: ProposedCall, parsed: ParsedInput): RecordedCall {
  const vendor = call.vendorId === undefined ? {} : { vendorId: call.vendorId };
  if (parsed.type === "parsed") {
    const { tool, input } = parsed;
    return { name: tool.name, effect: tool.effect, recovery: recoveryOf(tool, input), ...vendor };
  }
  // A call that cannot be made does nothing, whatever it names.
  const name = tools.get(call.name) ? call.name : unknownName(tools, call.name);
  return { name, effect: "read", recovery: "replayable", ...vendor };
}

/** A name that any vendor accepts back, and that is no tool's. What a model makes up may be anything. */
function unknownName(tools: ToolTable, name: unknown): string {
  const clean =
    String(name ?? "")
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .slice(0, 60) || "unnamed";
  let unknown = clean;
  for (let nth = 1; tools.get(unknown); nth += 1) unknown = `${clean}_${nth}`;
  return unknown;
}
