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
import { decide, type Next } from "./decide.js";
import { evolve } from "./evolve.js";
import type { RunState } from "./state.js";

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

export class Recorder {
  state: RunState;
  /** What must happen in this state; never a conclusion, once something has been recorded. */
  next: Next;
  #head: TraceHead;
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.state = options.state;
    this.next = decide(options.state);
    this.#head = options.head;
    this.#options = options;
  }

  record(events: readonly NewEvent[]): void {
    if (this.#options.isClosed() || !this.#isOpenTo(events[0])) return;
    const sealed = events.map((event) => this.#add(event));
    this.#settle(sealed);
    this.#options.writer.write(sealed);
  }

  #add(event: NewEvent): SealedEvent {
    // Stamped in place: an event is made to be recorded and is nobody else's, and a copy of each shape is dear.
    const stamped = event as Writable<RunEvent>;
    stamped.seq = this.#head.seq + 1;
    // A clock that is set back must not put an event before its cause.
    stamped.at = Math.max(this.#options.clock.now(), this.state.now);
    const sealed = seal(this.#head, stamped, this.#options.redact);
    this.#head = sealed.stored;
    this.state = evolve(this.state, sealed);
    return sealed;
  }

  #settle(sealed: SealedEvent[]): void {
    for (let round = 0; round < mostConclusions; round += 1) {
      this.next = decide(this.state);
      if (this.next.type !== "record") return;
      for (const event of this.next.events) sealed.push(this.#add(event));
    }
    throw new Error(`Run ${this.state.id} does not settle after ${mostConclusions} conclusions.`);
  }

  /** What an abandoned effect still has to say after the run has stopped is nobody's to record. */
  #isOpenTo(event: NewEvent | undefined): boolean {
    const { type } = this.state.status;
    return type === "new" || type === "running" || event?.type === "run.resumed";
  }
}
