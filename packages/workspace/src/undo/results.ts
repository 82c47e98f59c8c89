// What an undoing is given and what it answers. Alternatives, not exceptions: that a file cannot be put back is what was asked to
// be learnt, and one such file is no reason to leave the others as they are.
import type { Policy } from "@harness/policy";
import type { CallId, Clock, Ids, PolicyData } from "@harness/spec";

export interface UndoOptions {
  /**
   * What the undoing may do: every write and every removal must be allowed outright, since nobody is asked. Default: the policy
   * that the run was last driven under.
   */
  readonly policy?: Policy | PolicyData;
  /** Stops between two files; the same undoing, started again, finishes it. */
  readonly signal?: AbortSignal;
  /** How long the run stays ours without a sign of life, in ms. Default 60,000. */
  readonly leaseTtlMs?: number;
  /** Default: the system's. */
  readonly clock?: Pick<Clock, "now">;
  /** Default: random. */
  readonly ids?: Pick<Ids, "owner">;
}

export interface RewindOptions extends UndoOptions {
  /** Put back also what is not as the run left it: changes that somebody made since are lost. Default false. */
  readonly force?: boolean;
}

/** The policy does not allow it outright, or no policy could: `rule` and `layer` are `null` then, and for a default. */
export interface UndoRefusal {
  readonly type: "refused";
  readonly effect: "ask" | "deny";
  readonly rule: string | null;
  readonly layer: string | null;
  /** One clause: `the policy denies writing it by default`. */
  readonly reason: string;
}

/** The system kept the file from us: it is write-protected, a folder, the disk is full. */
export interface UndoFailure {
  readonly type: "failed";
  /** One or more sentences. */
  readonly reason: string;
}

/**
 * Why what was there is not to be had. `secret`: it held one, which a log may not. `archived`: retention emptied it. `missing`: the
 * store has lost it. `unknown`: what the log says of it is not understood, or does not match what it names.
 */
export type NotKept = "secret" | "archived" | "missing" | "unknown";

/** What became of one file. Only `restored` and `removed` touched anything, and both are also said of what was so already. */
export type RewoundFile = { readonly path: string } & (
  | { readonly type: "restored" }
  /** The run had created it. */
  | { readonly type: "removed" }
  /** It is not as the run left it: somebody has changed it since. */
  | { readonly type: "stale" }
  | { readonly type: "not-kept"; readonly why: NotKept }
  /** No tool of the run has written to it. */
  | { readonly type: "not-recorded" }
  | UndoRefusal
  | UndoFailure
);

/**
 * What became of all files of a run. Commits, pushes, messages and bills are never undone, nor what commands did to files: the
 * counts say whether there is any of that.
 */
export interface RewoundRun {
  /** In the order in which the run first wrote to them. */
  readonly files: readonly RewoundFile[];
  /** Commands that the run's calls ran; what they changed is as they left it. */
  readonly commands: number;
  /** Calls that changed something that is not a file of the workspace. */
  readonly otherEffects: number;
}

/** What became of one step. All of it or nothing: only `applied` touched anything. */
export type RewoundStep =
  | {
      readonly type: "applied";
      readonly files: readonly { readonly path: string; readonly type: "reversed" | "removed" }[];
    }
  /** The content of `path` has moved on, so that the step's change cannot be taken out of it. */
  | { readonly type: "stale"; readonly path: string }
  /** There is no record to reverse by; `path` is `null` when the step changed no file at all. `reason` is one clause. */
  | { readonly type: "no-hunk"; readonly path: string | null; readonly reason: string }
  | ({ readonly path: string } & (UndoRefusal | UndoFailure));

/** What has to be known of one change to use the series. */
export interface PatchNote {
  readonly call: CallId;
  readonly path: string;
  /**
   * `left-out`: there is no piece for it. `gap`: something else changed the file before it, which the series does not hold. `apart`:
   * there is a piece, which `git apply` does only when it is given without those before it.
   */
  readonly type: "left-out" | "gap" | "apart";
  /** One clause. */
  readonly reason: string;
}

/** One change of one file. */
export interface PatchPiece {
  readonly call: CallId;
  readonly path: string;
  readonly text: string;
}

export interface RunPatch {
  /** All of it for `git apply`, at the root of the workspace. Notes and the names of calls are lines that begin with `#`. */
  readonly text: string;
  /** In the order in which the changes were made. With none there is nothing to apply. */
  readonly pieces: readonly PatchPiece[];
  readonly notes: readonly PatchNote[];
}
