// The workers that searches share: few, however many agents search, because each is a thread that keeps a core busy. One is
// started when it is needed and none is free, and ended when it has had nothing to do for a while.
import { onAbort } from "@harness/spec";
import type { Order } from "./messages.js";
import { type StartedWorker, startWorker } from "./start-worker.js";
import { workerFile } from "./worker-file.js";

export interface WorkerPool {
  /**
   * A worker for one search; first come, first served. Rejects with the signal's reason, and with what kept a worker from
   * starting.
   */
  take(signal: AbortSignal): Promise<SearchWorker>;
  /** Workers there are, those included that are about to end. */
  readonly size: number;
}

/** A worker that serves nobody else. */
export interface SearchWorker {
  /** Gives it a search, and its port away. */
  send(order: Order): void;
  /** Is told why the worker ended, when it was not told to. */
  onCrash(listener: (problem: unknown) => void): void;
  /** For the next one. It has said that it is done, or cannot go on. */
  giveBack(): void;
  /** Ends it, whatever it is doing; another takes its place. */
  end(): void;
}

export interface WorkerPoolOptions {
  /** The worker's program. Default: this package's. */
  readonly file?: URL;
  /** Default 2. */
  readonly maxWorkers?: number;
  /** For how long a worker may have nothing to do. Default 30,000. */
  readonly idleMs?: number;
}

interface Member {
  readonly worker: StartedWorker;
  crash: ((problem: unknown) => void) | undefined;
}

export function workerPool({ file = workerFile, maxWorkers = 2, idleMs = 30_000 }: WorkerPoolOptions = {}): WorkerPool {
  const idle = new Map<Member, ReturnType<typeof setTimeout>>();
  /** Who waits, in the order of coming; each takes a worker if it gets one. */
  const line = new Set<() => void>();
  let size = 0;

  function start(): Member {
    const worker = startWorker(file, (problem) => {
      size -= 1;
      leaveIdle(member);
      if (problem !== undefined) member.crash?.(problem);
      serveNext();
    });
    const member: Member = { worker, crash: undefined };
    size += 1;
    return member;
  }

  function leaveIdle(member: Member): void {
    clearTimeout(idle.get(member));
    idle.delete(member);
  }

  /** The worker that was free last, or a new one as long as there may be more. */
  function free(): Member | undefined {
    const member = [...idle.keys()].at(-1);
    if (!member) return size < maxWorkers ? start() : undefined;
    leaveIdle(member);
    member.worker.hold(true);
    return member;
  }

  function serveNext(): void {
    const [first] = line;
    first?.();
  }

  function lend(member: Member): SearchWorker {
    const { worker } = member;
    return {
      send: worker.send,
      onCrash: (listener) => {
        member.crash = listener;
      },
      giveBack() {
        member.crash = undefined;
        // Neither an idle worker nor its timer keeps the process alive.
        worker.hold(false);
        const retire = setTimeout(() => {
          leaveIdle(member);
          worker.end();
        }, idleMs);
        idle.set(member, retire.unref());
        serveNext();
      },
      end: worker.end,
    };
  }

  function take(signal: AbortSignal): Promise<SearchWorker> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(tryToTake);
        leaveSignal();
      };
      const tryToTake = () => {
        try {
          const member = free();
          if (!member) return;
          leave();
          resolve(lend(member));
        } catch (error) {
          leave();
          reject(error);
          serveNext();
        }
      };
      if (signal.aborted) return reject(signal.reason);
      line.add(tryToTake);
      const leaveSignal = onAbort(signal, () => {
        leave();
        reject(signal.reason);
      });
      serveNext();
    });
  }

  return {
    take,
    get size() {
      return size;
    },
  };
}

/** The workers of this process. None is started before the first search. */
export const searchWorkers: WorkerPool = workerPool();
