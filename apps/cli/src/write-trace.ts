// A log as it is, told from its beginning to where it ends now, or one step of it.
import { ConfigError, type PriceTable, type RunEvent, type RunHead } from "@harness/spec";
import type { CommandPlace } from "./command-line.js";
import type { Terminal } from "./process-terminal.js";
import { traceFoot } from "./render/closing.js";
import { eventLines } from "./render/event-lines.js";
import { type Amount, styleFor } from "./render/style.js";
import { follow, type Timeline, timelineBy } from "./render/timeline.js";
import { stateOf } from "./run-state.js";

export interface Trace {
  /** As it was when it was looked up. */
  readonly head: RunHead;
  readonly place: CommandPlace;
  readonly amount: Amount;
  /** The events as they are, one JSON object a line, and nothing else. */
  readonly json: boolean;
  /** This step only; those before it are read and not shown. */
  readonly step?: number | undefined;
  /** What money is counted by, in place of what the run was driven with. */
  readonly prices?: PriceTable | undefined;
}

/** Writes `events`, the log of the run at `trace.head`. Throws `ConfigError` for a step that it does not have. */
export async function writeTrace(terminal: Terminal, events: AsyncIterable<RunEvent>, trace: Trace): Promise<void> {
  const { head, json, step, amount, place } = trace;
  const { out, env, clock } = terminal;
  const style = styleFor(out, env, amount);
  const write = (lines: readonly string[]) => out.write(lines.map((line) => `${line}\n`).join(""));
  let timeline = timelineBy(trace.prices);
  for await (const event of events) {
    if (step !== undefined && event.step > step) break;
    if (step === undefined || event.step === step)
      write(json ? [JSON.stringify(event)] : eventLines(timeline, event, style));
    timeline = follow(timeline, event);
  }
  if (step !== undefined) return assertReached(step, timeline, head);
  if (!json) write(traceFoot(timeline, { id: head.id, state: stateOf(head, clock.now()), place }, style));
}

function assertReached(step: number, timeline: Timeline, { id }: RunHead): void {
  if (timeline.step >= step) return;
  throw new ConfigError(`Run ${id} has no step ${step}: its last is step ${timeline.step}.`);
}
