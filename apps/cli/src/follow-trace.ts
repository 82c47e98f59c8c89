// A log that grows, told as it does, whoever drives the run. It looks on and takes nothing over: to stop looking stops nothing.
import { isEnding, type Store } from "@harness/spec";
import { exitCodes } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import type { Terminal } from "./process-terminal.js";
import { traceFoot } from "./render/closing.js";
import { readTrace } from "./run-log.js";
import { stateOf } from "./run-state.js";
import { type RunView, watchRun } from "./watch-run.js";
import type { Trace } from "./write-trace.js";

/** Shows the run from its first event until it ends or somebody wishes to stop. Resolves to the exit code for which it was. */
export async function followTrace(terminal: Terminal, trace: Trace & { readonly store: Store }): Promise<number> {
  const interrupt = interruptible(terminal, { onFirst: () => {}, onSecond: () => {} });
  try {
    await (trace.json ? followAsJson : followAsStory)(terminal, trace, interrupt.signal);
    return interrupt.signal.aborted ? exitCodes.cancelled : exitCodes.done;
  } finally {
    interrupt.release();
  }
}

type Follow = (terminal: Terminal, trace: Trace & { readonly store: Store }, signal: AbortSignal) => Promise<void>;

const followAsJson: Follow = async ({ out }, { store, head }, follow) => {
  for await (const event of readTrace(store, head.id, { follow })) {
    out.write(`${JSON.stringify(event)}\n`);
    if (isUnread(out)) return;
  }
};

const followAsStory: Follow = async (terminal, trace, follow) => {
  const { store, head, place, amount, prices } = trace;
  const { id } = head;
  const view = watchRun(terminal, { amount, prices });
  try {
    for await (const event of readTrace(store, id, { follow })) {
      view.observer.onEvent(id, event);
      if (event.seq >= head.seq) sayWhyNothingComes(terminal, trace, view, event.seq);
      if (isUnread(terminal.out)) return;
    }
    if (!follow.aborted) view.say(...traceFoot(view.timeline, { id, state: "ended", place }, view.style));
  } finally {
    view.close();
  }
};

/** Nothing more comes until somebody goes on with the run; whoever waits for that should know. */
function sayWhyNothingComes({ clock }: Terminal, { head }: Trace, view: RunView, seq: number): void {
  const { outcome } = view.timeline;
  const isCutShort = seq === head.seq && stateOf(head, clock.now()) === "interrupted";
  if (!isCutShort && (outcome === undefined || isEnding(outcome))) return;
  view.say(view.style.paint.dim("Nobody drives this run now. What comes is shown when somebody does; Ctrl-C leaves."));
}

/** Whoever read the output has left, as `| head` does. A log that may grow for days is not read on for nobody. */
function isUnread(out: Terminal["out"]): boolean {
  return out.writable === false;
}
