// The baseline: the loop that one would write by hand. The same scripted model, the same tool, and the same events' JSON; no
// policy, no state, no deadline, no hash, no redaction, nothing to resume from.
import { type AnyTool, callId, type Provider } from "@harness/spec";
import { modelName } from "./scripted-work.js";

/** Where its events go. */
export interface HandLog {
  /** What would be stored of an event: everything but its position. */
  add(event: object): void;
  /** Between two of its calls stands what must be stored together. */
  commit(): void;
}

const { signal } = new AbortController();
const request = { system: "Read.", messages: [], tools: [] };
const digest = "0".repeat(64);

/** Drives `model` and `tool` for `steps` steps of one call each. */
export async function handLoop(model: Provider, tool: AnyTool, steps: number, log: HandLog): Promise<void> {
  const now = Date.now;
  for (let step = 1; step <= steps; step += 1) {
    log.add({ type: "step.started", step, at: now() });
    const asked = { attempt: 1, model: modelName, messages: 2 * step - 1, digest, reserved: 0 };
    log.add({ type: "completion.started", step, at: now(), ...asked });
    const { text, reasoning, calls, ...answer } = await model.complete(request, { signal });
    const [{ name = "", arguments: input = null } = {}] = calls;
    const recorded = [{ name, effect: "read", recovery: "replayable" }];
    const words = { text, reasoning, calls: [{ arguments: input }] };
    const reply = { attempt: 1, ...answer, servedBy: null, requestId: null, calls: recorded, content: words };
    log.add({ type: "completion.finished", step, at: now(), ...reply });
    log.commit();
    const acts = [{ act: { type: "read", target: input?.path }, verdict: { effect: "allow" } }];
    log.add({ type: "tool.started", step, at: now(), call: callId(step, 1), acts });
    const { text: read } = await tool.invoke(input, {} as never);
    const result = { call: callId(step, 1), status: "ok", changed: false, changes: [] };
    log.add({ type: "tool.finished", step, at: now(), ...result, content: { text: read, diffs: [] } });
    log.add({ type: "step.finished", step, at: now(), changed: false, ends: null });
    log.commit();
  }
}

/** A log in memory: the JSON of every event, in order. */
export function memoryLog(): HandLog & { readonly events: readonly string[] } {
  const events: string[] = [];
  return { events, add: (event) => void events.push(JSON.stringify(event)), commit: () => {} };
}
