// What two runs have in common when they did the same: the log without bookkeeping and without the attempts that a death cut short,
// in the order of steps and calls rather than of the clock. What the model was sent stays in it.
import type { FileChange, RunEvent } from "@harness/spec";

const phases: readonly (readonly string[])[] = [
  ["run.started", "gate.unprotected", "workspace.shared"],
  ["step.started"],
  ["completion."],
  ["approval.", "question.", "plan.", "act.", "tool.", "file.", "sandbox."],
  ["run.stalled", "run.replanned"],
  ["gate."],
  ["step.finished"],
  ["files.rewound"],
  ["run.finished"],
];

function isBookkeeping(event: RunEvent): boolean {
  if (["run.resumed", "run.paused", "recovery.requested", "recovery.decided"].includes(event.type)) return true;
  if (event.type === "approval.decided") return event.decision === "defer";
  return event.type === "files.rewound" && event.phase === "intended";
}

/** What is begun again because nobody saw its end is begun as before: once is enough. */
function isRepeated(event: RunEvent, position: number, events: readonly RunEvent[]): boolean {
  if (!event.type.endsWith(".started") || event.type === "sandbox.started") return false;
  const facts = JSON.stringify(timeless(event));
  return events.slice(0, position).some((earlier) => JSON.stringify(timeless(earlier)) === facts);
}

/** Of a command whose end nobody saw, and that was run again. */
function isSuperseded(event: RunEvent, position: number, events: readonly RunEvent[]): boolean {
  if (!("owner" in event)) return false;
  const { owner, step } = event;
  return events
    .slice(position + 1)
    .some((later) => later.type === "sandbox.started" && later.owner === owner && later.step === step);
}

function timeless({ at: _at, seq: _seq, ...rest }: RunEvent): object {
  return rest;
}

function phaseOf({ type }: RunEvent): number {
  return phases.findIndex((starts) => starts.some((start) => type.startsWith(start)));
}

/** Of the call that it belongs to; the names of what a call asks end in the call's own. */
function indexOf(event: RunEvent): number {
  if ("call" in event && event.call) return Number(event.call.split(".")[1]);
  if ("owner" in event) return Number(event.owner.split(".")[1] ?? 0);
  const asked = event.type === "question.answered" ? event.question : event.type === "plan.decided" ? event.plan : "";
  return Number(asked.split(".").at(-1) ?? 0);
}

/** Calls of which the log cannot say all that it would have said without a death. */
export interface Gaps {
  /** A person said what had become of them: what their commands did was not heard, nor whether they changed anything. */
  readonly told: ReadonlySet<string>;
  /** A look at the file said what had become of them, and what had been in it was gone. */
  readonly undescribed: ReadonlySet<string>;
}

export function gapsIn(events: readonly RunEvent[]): Gaps {
  const recovered = (isIt: (by: string) => boolean) =>
    events.flatMap((event) =>
      event.type === "recovery.decided" && event.decision === "completed" && isIt(event.by) ? [event.call] : [],
    );
  const probed = new Set(recovered((by) => by === "probe"));
  const undescribed = events.flatMap((event) =>
    event.type === "tool.finished" && probed.has(event.call) && event.content.diffs.includes(null) ? [event.call] : [],
  );
  return { told: new Set(recovered((by) => by !== "probe")), undescribed: new Set(undescribed) };
}

/** Without what `gaps` leave out. */
export function canonical(events: readonly RunEvent[], gaps: Gaps): readonly unknown[] {
  return events
    .filter((event, position) => !isRepeated(event, position, events) && !isSuperseded(event, position, events))
    .filter((event) => !isBookkeeping(event) && !("owner" in event && gaps.told.has(event.owner)))
    .map((event, order) => ({ event, order }))
    .sort(
      (a, b) =>
        a.event.step - b.event.step ||
        phaseOf(a.event) - phaseOf(b.event) ||
        indexOf(a.event) - indexOf(b.event) ||
        a.order - b.order,
    )
    .map(({ event }) => withGaps(event, gaps));
}

function withGaps(event: RunEvent, { told, undescribed }: Gaps): object {
  const rest = timeless(event);
  // What the model is sent tells it of a change that could not be described.
  if (event.type === "completion.started" && undescribed.size > 0) return { ...rest, digest: null };
  if (event.type === "step.finished" && [...told].some((call) => call.startsWith(`${event.step}.`))) {
    return { ...rest, changed: null };
  }
  if (event.type !== "tool.finished") return rest;
  if (told.has(event.call)) return { ...rest, changed: null };
  return undescribed.has(event.call) ? { ...rest, changes: event.changes.map(withoutLines), content: null } : rest;
}

/** A change without how many lines it was. */
export function withoutLines({ added: _added, removed: _removed, ...change }: FileChange): object {
  return change;
}
