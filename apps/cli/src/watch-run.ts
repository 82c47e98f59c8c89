// Shows a run while it is driven: a line for everything that is settled, and on a terminal one more that is rewritten in place.
// It only watches: what it is told has happened, and nothing it does can change that.
import type { LiveUpdate, Observer, PriceTable, RunEvent } from "@harness/spec";
import type { Terminal } from "./process-terminal.js";
import { eventLines } from "./render/event-lines.js";
import { followLive, noTail, statusLine } from "./render/status-line.js";
import { type Amount, type Style, shownLive, styleFor } from "./render/style.js";
import { follow, type Timeline, timelineBy } from "./render/timeline.js";

export interface RunView {
  readonly observer: Observer;
  readonly onLive: (update: LiveUpdate) => void;
  readonly timeline: Timeline;
  /** Something happened while it watched. */
  readonly hasSeenEvents: boolean;
  readonly style: Style;
  /** Lines between those of the run. */
  say(...lines: readonly string[]): void;
  /** Text as it is, for who is asked something here. */
  write(text: string): void;
  /** Does `work` while the status line stays away, so that it does not write over what is asked. */
  undisturbed<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Takes the status line away for good. */
  close(): void;
}

export interface WatchOptions {
  /** What happened before: it is not shown, and what follows is understood by it. */
  readonly history?: readonly RunEvent[];
  /** Default: `shownLive`. */
  readonly amount?: Amount;
  /** What money is counted by, in place of what the run is driven with. */
  readonly prices?: PriceTable | undefined;
}

/** A view of a run. */
export function watchRun(terminal: Terminal, { history = [], amount = shownLive, prices }: WatchOptions = {}): RunView {
  const { out, env } = terminal;
  const style = styleFor(out, env, amount);
  let timeline = history.reduce(follow, timelineBy(prices));
  let tail = noTail;
  let hasSeenEvents = false;
  const status = statusOn(terminal, (now, columns) => statusLine({ timeline, tail, now, columns }));

  function say(...lines: readonly string[]): void {
    if (lines.length === 0) return;
    status.clear();
    out.write(lines.map((line) => `${line}\n`).join(""));
    status.drawSoon();
  }

  async function undisturbed<Value>(work: () => Promise<Value>): Promise<Value> {
    status.hold();
    try {
      return await work();
    } finally {
      status.letGo();
    }
  }

  return {
    style,
    say,
    write: (text) => void out.write(text),
    undisturbed,
    get timeline() {
      return timeline;
    },
    get hasSeenEvents() {
      return hasSeenEvents;
    },
    observer: {
      onEvent(_run, event) {
        const lines = eventLines(timeline, event, style);
        timeline = follow(timeline, event);
        tail = noTail;
        hasSeenEvents = true;
        say(...lines);
        status.drawSoon();
      },
    },
    onLive(update) {
      tail = followLive(tail, update);
      status.drawSoon();
    },
    close: status.close,
  };
}

/** How often the line is rewritten while deltas pour in, and while nothing happens at all. */
const drawEveryMs = 80;
const tickEveryMs = 1_000;

function statusOn({ out, clock }: Terminal, text: (now: number, columns: number) => string) {
  let isOpen = out.isTTY === true;
  let cancel: (() => void) | undefined;
  let isSoon = false;
  let holders = 0;

  function clear(): void {
    if (isOpen && holders === 0) out.write("\r\x1b[2K");
  }
  function schedule(ms: number): void {
    cancel?.();
    cancel = clock.alarm(ms, draw);
  }
  function draw(): void {
    isSoon = false;
    if (!isOpen || holders > 0) return;
    out.write(`\r\x1b[2K${text(clock.now(), out.columns || 80)}`);
    schedule(tickEveryMs);
  }
  return {
    clear,
    drawSoon() {
      if (!isOpen || isSoon || holders > 0) return;
      isSoon = true;
      schedule(drawEveryMs);
    },
    hold() {
      clear();
      holders += 1;
    },
    letGo() {
      holders -= 1;
      if (isOpen && holders === 0) schedule(drawEveryMs);
    },
    close() {
      clear();
      isOpen = false;
      cancel?.();
    },
  };
}
