// A call from the boundary to its result, and what a run does when it cannot know how a call ended.
import type { PlanVerdict, Question, RecoveryDecision } from "../approver.js";
import type { CallId, Digest, PlanId, QuestionId, RequestId } from "../ids.js";
import type { JsonObject } from "../json.js";
import type { ActType, JudgedAct, Rule } from "../policy.js";
import type { FileChange } from "../tool.js";
import type { Event } from "./envelope.js";

/** The boundary was passed; what follows may happen. Durable before an indeterminate effect. */
export type ToolStarted = Event<"tool.started", { readonly call: CallId; readonly acts: readonly JudgedAct[] }>;

/**
 * `ok` and `error` are the tool's own answers. `invalid`: no such tool, or arguments that do not fit it. `refused`: nothing was
 * done. `timed-out` and `cancelled`: it was stopped, and may have done a part. A result that was found out after a crash is
 * `ok`; the `recovery.decided` before it says how.
 */
export type CallStatus = "ok" | "error" | "invalid" | "refused" | "timed-out" | "cancelled";

export type ToolFinished = Event<
  "tool.finished",
  {
    readonly call: CallId;
    readonly status: CallStatus;
    readonly changed: boolean;
    readonly changes: readonly FileChange[];
  },
  {
    /** What the model reads, in full; assembly may show it less. */
    readonly text: string;
    /** Unified, one per change, `null` where none was made. */
    readonly diffs: readonly (string | null)[];
  }
>;

/** `rule` and `layer` name what denied it; without them a default or the tool itself did, and `reason` says which. */
export type ActRefused = Event<
  "act.refused",
  {
    readonly call: CallId | null;
    readonly act: ActType;
    readonly target: string;
    readonly rule: string | null;
    readonly layer: string | null;
    readonly reason: "rule" | "default" | "approver" | "tool";
  },
  { readonly detail: string | null }
>;

export type ApprovalRequested = Event<
  "approval.requested",
  { readonly request: RequestId; readonly call: CallId; readonly tool: string; readonly acts: readonly JudgedAct[] },
  { readonly input: JsonObject }
>;

export type ApprovalDecided = Event<
  "approval.decided",
  {
    readonly request: RequestId;
    readonly call: CallId;
    readonly decision: "approve" | "deny" | "defer";
    /** `approver`, `resume`, or who answered from another process. */
    readonly by: string;
    readonly final: boolean;
    readonly remember: readonly Rule[];
  },
  { readonly reason: string | null; readonly input: JsonObject | null }
>;

/** Nobody knows whether the call took effect, and its probe could not tell. */
export type RecoveryRequested = Event<
  "recovery.requested",
  { readonly call: CallId; readonly acts: readonly JudgedAct[] }
>;
/** `probe` when the tool could tell by looking. */
export type RecoveryDecided = Event<
  "recovery.decided",
  {
    readonly call: CallId;
    readonly decision: RecoveryDecision["type"];
    readonly by: "probe" | "resume" | (string & {});
  },
  { readonly observation: string | null }
>;

export type QuestionAsked = Event<"question.asked", { readonly question: QuestionId; readonly call: CallId }, Question>;
export type QuestionAnswered = Event<
  "question.answered",
  {
    readonly question: QuestionId;
    /** `responder`, `resume`, or who answered from another process. */
    readonly by: string;
  },
  { readonly text: string }
>;

export type PlanProposed = Event<
  "plan.proposed",
  { readonly plan: PlanId; readonly call: CallId },
  { readonly steps: readonly { readonly intent: string; readonly agent?: string }[] }
>;
export type PlanDecided = Event<
  "plan.decided",
  {
    readonly plan: PlanId;
    readonly verdict: PlanVerdict["type"];
    /** `plan-gate`, `resume`, or who answered from another process. */
    readonly by: string;
  },
  { readonly correction: string | null }
>;

/**
 * What was at `path` before the run first changed it. `text` is in `content`, `binary` is a blob named by `digest`. `unkept`: it
 * holds a secret, which the log may not, and what is given back must be what was there.
 */
export type FileKept = Event<
  "file.kept",
  {
    readonly call: CallId;
    readonly path: string;
    readonly state: "absent" | "text" | "binary" | "unkept";
    readonly digest: Digest | null;
    readonly bytes: number;
  },
  { readonly text: string | null }
>;
/**
 * Somebody went back on what the run did to files, under a lease of their own. The one event that may stand behind
 * `run.finished`. `intended` is recorded before a file is touched, with what is about to be done; `done` afterwards, with what
 * was. An `intended` without its `done` was cut short, and doing the same again finishes it.
 */
export type FilesRewound = Event<
  "files.rewound",
  {
    readonly phase: "intended" | "done";
    /** One file, what one step did, or everything. */
    readonly scope: "file" | "step" | "run";
    /** The step that was undone; `null` for the other scopes. */
    readonly undid: number | null;
    /** Whether files were put back although they are not as the run left them. */
    readonly forced: boolean;
    readonly paths: readonly {
      readonly path: string;
      /** `reversed`: the changes of one step were taken out. Only `restored`, `removed` and `reversed` touch anything. */
      readonly result: "restored" | "removed" | "reversed" | "stale" | "not-kept" | "refused" | "failed";
      /**
       * What is there then, `null` for no file, where that is what the run found or left. Absent where nothing is touched, and
       * where somebody else's work is in it.
       */
      readonly after?: Digest | null;
    }[];
  }
>;

export type ToolEvent =
  | ToolStarted
  | ToolFinished
  | ActRefused
  | ApprovalRequested
  | ApprovalDecided
  | RecoveryRequested
  | RecoveryDecided
  | QuestionAsked
  | QuestionAnswered
  | PlanProposed
  | PlanDecided
  | FileKept
  | FilesRewound;
