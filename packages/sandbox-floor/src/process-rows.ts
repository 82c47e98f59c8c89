// What there is to know of processes, whoever tells it. The tables that tell it are apart, so that each can be read alone.

/** One process that runs. What has ended and was not collected by its parent is left out. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** With the pid, names a process for good: numbers are used again. Comparable for equality only. */
  readonly startedAt: string;
}

export interface ProcessTable {
  /** `undefined` when it cannot be read, which proves nothing. */
  rows(): readonly ProcessRow[] | undefined;
  /** Whether the process was started with this command's mark in its environment. `undefined` when that cannot be seen. */
  isMarked(pid: number, mark: string): boolean | undefined;
  /** All marks that it was started with, outer ones first. Absent where no table tells; `undefined` when they cannot be seen. */
  marks?(pid: number): readonly string[] | undefined;
  /**
   * The processes that may have come into being after `first`, which ran for `ranForMs`: none is certain, some may be gone.
   * `undefined` where there is no cheap way to know.
   */
  startedSince(first: number, ranForMs: number): readonly number[] | undefined;
  /** One row, `undefined` when it is gone. */
  row(pid: number): ProcessRow | undefined;
}
