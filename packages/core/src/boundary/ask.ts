// Asking. The request is durable before anyone hears of it; the first answer counts, a later one is dropped; an approver
// that fails has not answered, so the run waits for someone who does.
import { type ApprovalRequest, type Approver, type Decision, onAbort } from "@harness/spec";
import { readDecision } from "./decision.js";

export interface AskPorts {
  readonly approver: Approver | undefined;
  /** The answer that the resume brought, for the first request that is open; taken once. */
  takeDecision(): Decision | undefined;
}

export interface Asked {
  readonly decision: Decision;
  readonly by: string;
  /** Why nobody decided, where nobody did. */
  readonly detail: string | null;
}

/** Resolves to who decided what; to `undefined` when `signal` fired first. Never rejects. */
export async function ask(ports: AskPorts, request: ApprovalRequest, signal: AbortSignal): Promise<Asked | undefined> {
  const brought = ports.takeDecision();
  if (brought) return { decision: brought, by: "resume", detail: null };
  if (!ports.approver) return { decision: { type: "defer" }, by: "nobody", detail: "no approver was given" };
  try {
    const answer = await unlessAborted(ports.approver.decide(request, { signal }), signal);
    if (signal.aborted) return undefined;
    const decision = readDecision(answer);
    if (decision.type !== "unreadable") return { decision, by: "approver", detail: null };
    return undecided(`the approver's answer cannot be read: ${decision.detail}`);
  } catch (error) {
    if (signal.aborted) return undefined;
    return undecided(`the approver failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function undecided(detail: string): Asked {
  return { decision: { type: "defer" }, by: "approver", detail };
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    const leave = onAbort(signal, stop);
    Promise.resolve(work).then(resolve, reject).finally(leave);
  });
}
