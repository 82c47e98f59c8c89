// Where the answers of a run come from while it is driven here: from somebody at this terminal, from any process while the run
// stays and waits, or from nobody, so that it pauses and any process may go on with it later.
import { type DriveOptions, stdinApprover, stdinPlanGate, stdinResponder } from "@harness/core";
import { ConfigError, onAbort } from "@harness/spec";
import { type CommandPlace, commandOf } from "./command-line.js";
import type { Terminal } from "./process-terminal.js";
import { waysToAnswer } from "./render/next-commands.js";
import type { RunView } from "./watch-run.js";

/**
 * `here`: a person at this terminal is asked, and answers from elsewhere count as well. `elsewhere`: the run stays and waits for
 * them. `nobody`: it pauses.
 */
export type AnswersFrom = "here" | "elsewhere" | "nobody";

export interface AnswersFlags {
  readonly ask?: boolean;
  /** False for `--no-wait`. */
  readonly wait?: boolean;
}

/**
 * Where somebody looks at the run it waits, because whoever looks sees what it waits for and can stop it; a script, where nobody
 * does, must not hang for a person, and gets the exit code that says so.
 */
export function answersFrom({ out, input }: Terminal, { ask, wait }: AnswersFlags): AnswersFrom {
  if (!ask) return (wait ?? out.isTTY === true) ? "elsewhere" : "nobody";
  // The end of an input denies, so nobody's input would.
  if (input?.isTTY && out.isTTY) return "here";
  throw new ConfigError(
    "--ask needs a terminal to ask at and to type at. Use --wait, and answer from another process.",
  );
}

type People = Pick<DriveOptions, "approver" | "responder" | "planGate">;

/** Who is asked. What they are shown goes through `view`. */
export function peopleFrom(from: AnswersFrom, { input }: Terminal, view: RunView, place: CommandPlace): People {
  switch (from) {
    case "nobody":
      return {};
    case "elsewhere":
      return peopleElsewhere(view, place);
    case "here":
      return input ? peopleHere(input, view) : {};
    default:
      return from satisfies never;
  }
}

function peopleHere(input: NonNullable<Terminal["input"]>, view: RunView): People {
  const shown = { input, output: { write: view.write } };
  const [approver, responder, planGate] = [stdinApprover(shown), stdinResponder(shown), stdinPlanGate(shown)];
  return {
    approver: { decide: (request, options) => view.undisturbed(() => approver.decide(request, options)) },
    responder: { answer: (question, options) => view.undisturbed(() => responder.answer(question, options)) },
    planGate: { review: (plan, options) => view.undisturbed(() => planGate.review(plan, options)) },
  };
}

/** They never answer: whoever leaves an answer in the store is faster. */
function peopleElsewhere(view: RunView, place: CommandPlace): People {
  function stay(signal: AbortSignal, type: Parameters<typeof waysToAnswer>[0]["type"], request?: string) {
    const runId = view.timeline.started?.run;
    const ways = runId === undefined ? [] : waysToAnswer({ type, runId, request });
    const { dim, cyan } = view.style.paint;
    view.say(dim("Waits for an answer from anywhere. To give one:"));
    view.say(...ways.map((words) => `  ${cyan(commandOf(place, ...words))}`));
    return new Promise<never>((_, reject) => {
      if (signal.aborted) return reject(signal.reason);
      onAbort(signal, () => reject(signal.reason));
    });
  }
  return {
    approver: { decide: ({ id }, { signal }) => stay(signal, "approval", id) },
    responder: { answer: (_question, { signal }) => stay(signal, "question") },
    planGate: { review: (_plan, { signal }) => stay(signal, "plan") },
  };
}
