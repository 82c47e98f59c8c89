// One driver's time with a run on this terminal, started or resumed: it is watched, it can be told to stop, and under it stand
// its closing lines. `run`, `resume` and whoever else drives on a terminal come through here.

import type { DriveOptions, RunResult } from "@harness/core";
import type { RunEvent, Store } from "@harness/spec";
import { type AnswersFrom, peopleFrom } from "./answers-from.js";
import { commandOf } from "./command-line.js";
import { exitCodeOf } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import type { Terminal } from "./process-terminal.js";
import { openProvider, type Recording } from "./provider-choice.js";
import { providerLabel } from "./provider-module.js";
import { closingLines } from "./render/closing.js";
import { hanging } from "./render/fit.js";
import { printable } from "./render/printable.js";
import { reportFailure } from "./report-failure.js";
import type { StorePlace } from "./stores.js";
import { type RunView, watchRun } from "./watch-run.js";

export interface WatchedDrive {
  readonly stored: StorePlace;
  readonly store: Store;
  /** What `chooseProvider` gave; recorded with the run. */
  readonly provider: string;
  readonly recording?: Recording | undefined;
  /** Default: nobody. */
  readonly answersFrom?: AnswersFrom | undefined;
  /** What happened before, on a resume. */
  readonly history?: readonly RunEvent[];
}

/** The part of the options that this terminal provides. */
export type WatchedOptions = Required<
  Pick<DriveOptions, "provider" | "store" | "observers" | "onLive" | "signal" | "labels">
> &
  Pick<DriveOptions, "approver" | "responder" | "planGate">;

/** Does `work` under this terminal's eyes. Resolves to an exit code: for the outcome, or for what went wrong in its place. */
export async function driveWatched(
  terminal: Terminal,
  { stored, store, provider: specifier, recording, answersFrom = "nobody", history = [] }: WatchedDrive,
  work: (options: WatchedOptions) => Promise<RunResult>,
): Promise<number> {
  const { provider, label, note } = await openProvider(specifier, terminal, recording);
  const view = watchRun(terminal, { history });
  if (note !== undefined) view.say(...hanging(printable(note), view.style.columns));
  const interrupt = interruptible(terminal, {
    onFirst: () => view.say(view.style.paint.yellow("Stopping. Press Ctrl-C again to leave at once.")),
    onSecond: () => {
      view.close();
      sayHowToGoOn(terminal, view, stored);
    },
  });
  try {
    const { observer, onLive } = view;
    const labels = { [providerLabel]: label };
    const { signal } = interrupt;
    const { path: storePath, place } = stored;
    const people = peopleFrom(answersFrom, terminal, view, place);
    const { runId, outcome } = await work({
      ...{ provider, store, labels, observers: [observer], onLive, signal },
      ...people,
    });
    view.close();
    view.say(...closingLines(view.timeline, { id: runId, outcome, place, storePath }, view.style));
    return exitCodeOf(outcome);
  } catch (error) {
    view.close();
    const code = reportFailure(terminal, error);
    sayHowToGoOn(terminal, view, stored);
    return code;
  } finally {
    interrupt.release();
  }
}

/** Only where this driver has done something: what it never took over is somebody else's to go on with. */
function sayHowToGoOn({ err }: Terminal, { timeline, hasSeenEvents }: RunView, { place }: StorePlace): void {
  const id = timeline.started?.run;
  if (id !== undefined && hasSeenEvents) err.write(`To go on with this run: ${commandOf(place, "resume", id)}\n`);
}
