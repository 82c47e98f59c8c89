// Starts a worker and tells when it has ended.
import { Worker } from "node:worker_threads";
import type { Order } from "./messages.js";

export interface StartedWorker {
  /** Gives it a search, and its port away. */
  send(order: Order): void;
  /** Whether the process is kept alive until the worker has ended. At first it is. */
  hold(isHeld: boolean): void;
  /** Ends it, whatever it is doing. */
  end(): void;
}

/** Starts the program `file`. Calls `onEnd` once, with what went wrong if it was not told to end. */
export function startWorker(file: URL, onEnd: (problem: unknown) => void): StartedWorker {
  // Options of this process are not for it: some of them only suit a program that is given as text.
  const worker = new Worker(file, { name: "harness-search", execArgv: [] });
  let isToldToEnd = false;
  let problem: unknown;
  worker.on("error", (error) => {
    problem = error;
  });
  worker.on("exit", (code) => {
    onEnd(isToldToEnd ? undefined : (problem ?? new Error(`The worker exited with ${code}.`)));
  });
  return {
    send: (order) => worker.postMessage(order, [order.port]),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end() {
      isToldToEnd = true;
      void worker.terminate();
    },
  };
}
