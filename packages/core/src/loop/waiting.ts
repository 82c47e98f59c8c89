// What a run waits for, with what a person must see to answer it. Read off the state alone, so it is the same for a run that is
// driven elsewhere, one that pauses and one whose driver died.
import type {
  CallId,
  JsonObject,
  JudgedAct,
  PlanId,
  PlanStep,
  Question,
  QuestionId,
  RequestId,
  RunId,
} from "@harness/spec";
import type { CallState } from "../tools/call-state.js";
import { planId, questionId, recoveryRequest } from "../tools/request-names.js";
import { factsOf, type RunState } from "./state.js";

interface WaitingFor {
  readonly runId: RunId;
  readonly call: CallId;
  /** Epoch ms at which it was asked, by the driver's clock. */
  readonly since: number;
  readonly goal: string;
  /** Absolute, resolved: what the targets of reads and writes are relative to. */
  readonly workspace: string;
}

/** One thing that a run waits for. `request` is what an answer names. */
export type Waiting = WaitingFor &
  (
    | {
        readonly type: "approval";
        readonly request: RequestId;
        readonly tool: string;
        readonly input: JsonObject;
        /** Everything that the call would do; those with effect `ask` are what is being asked about. */
        readonly acts: readonly JudgedAct[];
      }
    | ({ readonly type: "question"; readonly request: QuestionId } & Question)
    | { readonly type: "plan"; readonly request: PlanId; readonly steps: readonly PlanStep[] }
    | {
        readonly type: "recovery";
        readonly request: RequestId;
        readonly tool: string;
        readonly input: JsonObject;
        /** What it was granted when it began, and may have done. */
        readonly acts: readonly JudgedAct[];
      }
  );

/** What `state` waits for, in the order of its calls. Nothing for a run that has ended. */
export function waitingOf(state: RunState): readonly Waiting[] {
  if (state.status.type === "new" || state.status.type === "ended") return [];
  return state.calls.list.flatMap((call) => {
    const about = aboutOf(call);
    if (!about) return [];
    const { goal, workspace } = factsOf(state).contract;
    return [{ runId: state.id, call: call.id, since: call.askedAt, goal, workspace, ...about }];
  });
}

type Distribute<Item> = Item extends Waiting ? Omit<Item, keyof WaitingFor> : never;

function aboutOf(call: CallState): Distribute<Waiting> | undefined {
  const { phase, request, name: tool, question, plan: steps = [] } = call;
  const input = call.arguments ?? {};
  switch (phase) {
    case "asked":
    case "deferred":
      return { type: "approval", request, tool, input, acts: call.asks };
    case "questioned":
      return question && { type: "question", request: questionId(call), ...question };
    case "proposed":
      return { type: "plan", request: planId(call), steps };
    case "unknown":
    case "undecided":
      // Until it was looked at, nobody has been asked.
      if (call.askedAt === 0) return undefined;
      return { type: "recovery", request: recoveryRequest(call), tool, input, acts: call.granted };
    default:
      return undefined;
  }
}
