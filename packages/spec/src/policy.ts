// May it happen: the words that policies, tools, the boundary and the trace share. The evaluator is in `@harness/policy`.
import type { Digest } from "./ids.js";

export type ActType = "read" | "write" | "exec" | "net";

/** Ordered from lenient to strict: `allow` < `ask` < `deny`. */
export type Effect = "allow" | "ask" | "deny";

/** What a tool call would do to one target. */
export type Act = FileAct | ExecAct | NetAct;

/** Reads or writes one path. */
export interface FileAct {
  readonly type: "read" | "write";
  /** Relative to the workspace root, `/` between parts, no `.` or `..`; `.` alone is the root. Absolute only for files outside any workspace. */
  readonly target: string;
  /** The file system under the root does not tell `A` from `a`, so rules must not either. Default false. */
  readonly foldsCase?: boolean;
  /** For a write: SHA-256 of the bytes found when the call was planned, `null` for no file. */
  readonly before?: Digest | null;
  /** For a write: SHA-256 of the bytes that it intends to leave, `null` for none. */
  readonly after?: Digest | null;
}

/** Starts a program, or enters a tool that is governed by its name. */
export interface ExecAct {
  readonly type: "exec";
  /** The program as named, or the tool's name. */
  readonly target: string;
  /** The whole command, program first. Absent for a tool's name. */
  readonly argv?: readonly string[];
}

/** Dials one address. */
export interface NetAct {
  readonly type: "net";
  /** `host:port`, always with a port. */
  readonly target: string;
}

export interface Rule {
  readonly act: ActType;
  readonly effect: Effect;
  readonly pattern: string;
}

export interface Layer {
  readonly name: string;
  readonly rules: readonly Rule[];
}

export type Defaults = Readonly<Record<ActType, Effect>>;

/** A policy as JSON, whole. */
export interface PolicyData {
  readonly layers: readonly Layer[];
  readonly defaults: Defaults;
}

/** What the policy says of an act. `rule` and `layer` are both absent when the act's default decided. */
export interface Verdict {
  readonly effect: Effect;
  /** The deciding rule's pattern, as written. */
  readonly rule?: string;
  readonly layer?: string;
}

/** An act with what the policy said of it. */
export interface JudgedAct {
  readonly act: Act;
  readonly verdict: Verdict;
}
