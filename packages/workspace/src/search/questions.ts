// Asks the main thread which files may be seen. Questions go out before their answers are needed, many files at a time, so that
// neither thread waits for the other as long as there is something to do.
import type { FromWorker, Verdicts } from "./messages.js";

/** The main thread, as the worker sees it. */
export interface MainThread {
  post(message: FromWorker): void;
  /** The next answer; waits for it. */
  receive(): Verdicts;
}

/** Asks about `names` in `folder`; what it returns waits for the answer. */
export type Ask = (folder: string, names: readonly string[]) => () => Verdicts;

interface Question {
  readonly folder: string;
  readonly names: readonly string[];
  isSent: boolean;
  verdicts: Verdicts | undefined;
}

/** Few enough to be judged in a moment: the main thread has other work. */
const namesPerMessage = 256;

export function questionsTo(main: MainThread): Ask {
  const sent: (readonly Question[])[] = [];
  let unsent: Question[] = [];
  let names = 0;

  function send(): void {
    for (const question of unsent) question.isSent = true;
    main.post({ type: "question", files: unsent.map((question) => [question.folder, question.names.join("/")]) });
    sent.push(unsent);
    [unsent, names] = [[], 0];
  }

  function receive(): void {
    const answer = main.receive();
    let from = 0;
    for (const question of sent.shift() ?? []) {
      question.verdicts = answer.subarray(from, from + question.names.length);
      from += question.names.length;
    }
  }

  return (folder, asked) => {
    const question: Question = { folder, names: asked, isSent: false, verdicts: undefined };
    unsent.push(question);
    names += asked.length;
    if (names >= namesPerMessage) send();
    return () => {
      if (!question.isSent) send();
      while (!question.verdicts) receive();
      return question.verdicts;
    };
  };
}
