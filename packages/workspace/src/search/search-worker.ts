// The worker of the searches: an entry of its own, which only `worker-file.ts` names. It makes one search at a time and blocks
// while it does; the main thread ends it when that takes too long.
import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { FromWorker, Order, Verdicts } from "./messages.js";
import { progress as progressIn } from "./progress.js";
import { runSearch } from "./run-search.js";

parentPort?.on("message", ({ search, memory, port }: Order) => {
  const progress = progressIn(memory);
  const post = (message: FromWorker) => port.postMessage(message);
  const nextVerdicts = () => receiveMessageOnPort(port)?.message as Verdicts | undefined;
  const failure = runSearch(search, { post, receive: () => progress.waitFor(nextVerdicts) }, progress);
  post(failure ? { type: "failed", failure } : { type: "done" });
  port.close();
});
