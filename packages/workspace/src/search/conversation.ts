// One search between two threads: questions are answered, lines collected, and the worker is given back when it says that it is
// over. Whatever else ends the search ends the worker too, since only that stops it in the middle of a file.
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { type Clock, type LookContext, onAbort } from "@harness/spec";
import { answering } from "./answering.js";
import type { Failure, FromWorker, Search, Verdicts } from "./messages.js";
import { type Counts, progress } from "./progress.js";
import { workerProblem } from "./search-problem.js";
import type { SearchWorker } from "./worker-pool.js";

export interface Conversation {
  readonly ending: Ending;
  /** What was found, as lines of a report. */
  readonly lines: readonly string[];
  readonly counts: Counts;
}

type Ending =
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly failure: Failure }
  /** `at`: the file it was looking at, if it got that far. */
  | { readonly type: "out-of-time"; readonly at: string | undefined };

export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
}

type Context = Pick<LookContext, "signal" | "visible">;

/** Throws `ToolError` when the worker crashes, what `visible` throws, and the signal's reason. */
export async function converse(
  worker: SearchWorker,
  search: Search,
  { signal, visible }: Context,
  { clock, ms }: Limit,
): Promise<Conversation> {
  const { port1: port, port2 } = new MessageChannel();
  const shared = progress();
  const lines: string[] = [];
  const cleanUps: (() => void)[] = [() => port.close()];
  const answer = (verdicts: Verdicts) => {
    port.postMessage(verdicts);
    shared.wake();
  };

  const ended = new Promise<Ending>((resolve, reject) => {
    const questions = answering(search.start, visible, answer, reject);
    const hear = (message: FromWorker) => {
      if (message.type === "question") questions.take(message.files);
      else if (message.type === "found") lines.push(...message.lines);
      else resolve(message);
    };
    const stop = () => {
      worker.end();
      // What it found until now has been sent, and may not have arrived.
      for (let late = receiveMessageOnPort(port); late; late = receiveMessageOnPort(port)) hear(late.message);
      resolve({ type: "out-of-time", at: shared.path() });
    };
    port.on("message", hear);
    worker.onCrash((problem) => reject(workerProblem(search.start, problem)));
    cleanUps.push(
      clock.alarm(ms, stop),
      onAbort(signal, () => reject(signal.reason)),
      () => questions.stop(),
    );
    worker.send({ search, memory: shared.memory, port: port2 });
  });

  let leave = worker.end;
  try {
    const ending = await ended;
    if (ending.type !== "out-of-time") leave = worker.giveBack;
    return { ending, lines, counts: shared.counts() };
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
    leave();
  }
}
