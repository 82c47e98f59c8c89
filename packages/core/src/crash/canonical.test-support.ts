// What two runs have in common when they did the same: the log without bookkeeping, in the order of steps and calls rather
// than of the clock.
import type { RunEvent } from "@harness/spec";

const phases: readonly (readonly string[])[] = [
  ["run.started", "gate.unprotected"],
  ["completion."],
  ["approval.", "question.", "plan.", "act.", "tool.", "file.", "sandbox."],
  ["run.stalled", "run.replanned"],
  ["gate."],
  ["step."],
  ["run.finished"],
];

function isBookkeeping(event: RunEvent): boolean {
  if (["run.resumed", "run.paused", "recovery.requested", "recovery.decided"].includes(event.type)) return true;
  if (event.type === "approval.decided") return event.decision === "defer";
  return event.type.endsWith(".started") && event.type !== "run.started";
}

function phaseOf({ type }: RunEvent): number {
  const phase = phases.findIndex((starts) => starts.some((start) => type.startsWith(start)));
  return type === "gate.unprotected" ? 0 : phase;
}

/** Of the call that it belongs to; the names of what a call asks end in the call's own. */
function indexOf(event: RunEvent): number {
  if ("call" in event && event.call) return Number(event.call.split(".")[1]);
  const asked = event.type === "question.answered" ? event.question : event.type === "plan.decided" ? event.plan : "";
  return Number(asked.split(".").at(-1) ?? 0);
}

/** Events of an attempt at a call that a crash cut short, and that another attempt made again. */
function isSuperseded(event: RunEvent, position: number, events: readonly RunEvent[]): boolean {
  if (event.type !== "sandbox.finished" && event.type !== "sandbox.cap-hit") return false;
  const again = events
    .slice(position + 1)
    .find((later) => later.type === "sandbox.started" && later.step === event.step && later.owner === event.owner);
  return again !== undefined;
}

export function canonical(events: readonly RunEvent[]): readonly unknown[] {
  return events
    .filter((event, position) => !isBookkeeping(event) && !isSuperseded(event, position, events))
    .map((event, order) => ({ event, order }))
    .sort(
      (a, b) =>
        a.event.step - b.event.step ||
        phaseOf(a.event) - phaseOf(b.event) ||
        indexOf(a.event) - indexOf(b.event) ||
        a.order - b.order,
    )
    .map(({ event: { at: _at, seq: _seq, ...rest } }) => rest);
}
