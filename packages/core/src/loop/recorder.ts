// The one way into the log. Recording numbers, dates and cleans an event, changes the state, and adds what follows from it
// without an effect; durability comes right behind, in order. State may run ahead of what is durable: whatever must not, waits
// for `durable`, and nobody outside hears of an event before it is.
import {
  type Clock,
  type NewEvent,
  type Redactor,
  type RunEvent,
  type SealedEvent,
  seal,
  type TraceHead,
} from "@harness/spec";
import type { EventWriter } from "../store/event-writer.js";
import { decide } from "./decide.js";
import { evolve } from "./evolve.js";
import type { RunState } from "./state.js";

export interface Recorder {
  readonly state: RunState;
  record(...events: readonly NewEvent[]): void;
}

export interface RecorderOptions {
  readonly state: RunState;
  readonly head: TraceHead;
  readonly clock: Clock;
  readonly redact: Redactor;
  readonly writer: EventWriter;
  /** Once nothing more may be recorded. */
  isClosed(): boolean;
}

type Writable<Event> = Event extends RunEvent ? Event & { seq: number; at: number } : never;

/** More conclusions in a row than any state can lead to: a defect, not a run. */
const mostConclusions = 1_000;

export function recorder({ clock, redact, writer, isClosed, ...from }: RecorderOptions): Recorder {
  let { state, head } = from;

  function add(event: NewEvent): SealedEvent {
    // Stamped in place: an event is made to be recorded and is nobody else's, and a copy of each shape is dear.
    const stamped = event as Writable<RunEvent>;
    stamped.seq = head.seq + 1;
    // A clock that is set back must not put an event before its cause.
    stamped.at = Math.max(clock.now(), state.now);
    const sealed = seal(head, stamped, redact);
    head = sealed.stored;
    state = evolve(state, sealed);
    return sealed;
  }

  function settle(sealed: SealedEvent[]): void {
    for (let round = 0; round < mostConclusions; round += 1) {
      const next = decide(state);
      if (next.type !== "record") return;
      for (const event of next.events) sealed.push(add(event));
    }
    throw new Error(`Run ${state.id} does not settle after ${mostConclusions} conclusions.`);
  }

  /** What an abandoned effect still has to say after the run has stopped is nobody's to record. */
  function isOpenTo(event: NewEvent | undefined): boolean {
    return state.status.type === "new" || state.status.type === "running" || event?.type === "run.resumed";
  }

  return {
    get state() {
      return state;
    },
    record(...events) {
      if (isClosed() || !isOpenTo(events[0])) return;
      const sealed = events.map(add);
      settle(sealed);
      writer.write(sealed);
    },
  };
}
