// A search of the workspace, for the tools: by a worker, within a time, and with its problems in words. What the worker does is
// in `run-search.ts`.
import { lstat } from "node:fs/promises";
import { type Clock, type LookContext, ToolError } from "@harness/spec";
import { explained } from "../paths/file-problem.js";
import type { Place } from "../paths/place.js";
import { printable } from "../walk/names.js";
import { converse } from "./conversation.js";
import type { Search } from "./messages.js";
import type { Counts } from "./progress.js";
import { attemptAt, failureProblem, workerProblem } from "./search-problem.js";
import { type SearchWorker, searchWorkers, type WorkerPool } from "./worker-pool.js";

const maxSearchMs = 10_000;

export interface Findings extends Counts {
  /** For a report: hits, or paths. No more than were asked for. */
  readonly lines: readonly string[];
  /** The file at which the time ran out. */
  readonly stoppedAt: string | undefined;
}

export interface Means {
  readonly clock: Clock;
  /** Default: the workers of this process. */
  readonly workers?: WorkerPool;
}

/**
 * Searches for at most 10 s, the wait for a worker not counted. Throws `ToolError` when there is nothing at the start, or when
 * the worker fails; `ActRefusedError` when the start leads elsewhere by now; the signal's reason when it fires.
 */
export async function searchFiles(
  search: Omit<Search, "isFolder">,
  context: Pick<LookContext, "signal" | "visible">,
  { clock, workers = searchWorkers }: Means,
): Promise<Findings> {
  const { start } = search;
  context.signal.throwIfAborted();
  const isFolder = await isFolderAt(start);
  const worker = await takeWorker(start, workers, context.signal);
  const limit = { clock, ms: maxSearchMs };
  const { ending, lines, counts } = await converse(worker, { ...search, isFolder }, context, limit);
  if (ending.type === "failed") throw failureProblem(start, ending.failure);
  const stoppedAt = ending.type === "out-of-time" ? printable(ending.at ?? start.target) : undefined;
  return { ...counts, lines, stoppedAt };
}

/** One line for a search that ran out of time, or none. */
export function stopNote({ stoppedAt, files }: Findings): readonly string[] {
  if (stoppedAt === undefined) return [];
  const searched = files === 1 ? "1 file was" : `${files} files were`;
  return [
    `(stopped after ${maxSearchMs / 1_000} s at ${stoppedAt}; ${searched} searched: narrow the glob or the path)`,
  ];
}

async function isFolderAt(start: Place): Promise<boolean> {
  const stats = await explained(attemptAt(start), () => lstat(start.absolute));
  if (stats.isFile() || stats.isDirectory()) return stats.isDirectory();
  throw new ToolError(`${attemptAt(start)}: it is neither a folder nor a regular file.`);
}

async function takeWorker(start: Place, workers: WorkerPool, signal: AbortSignal): Promise<SearchWorker> {
  try {
    return await workers.take(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw workerProblem(start, error);
  }
}
