// A trace, event by event, under another policy. What is kept is about the step that is open and no more, so that a trace of any
// length can be replayed.
import type { Act, CallId, EventOf, ExecAct, JudgedAct, RunEvent, Verdict } from "@harness/spec";
import { commandEgress } from "./egress.js";
import { policyInForce } from "./replay-in-force.js";
import { type ReplayJudge, verdictOn } from "./replay-judge.js";
import { refusedAct, withProvider } from "./replay-refusal.js";
import type { DecidedThen, PolicyReplay, Unjudged } from "./replay-results.js";
import { planLayer } from "./run-layers.js";

/** What the open step has seen of a call. */
interface SeenCall {
  /** Acts that were judged, as text: a call that was made again after a crash did the same. */
  readonly judged: Set<string>;
  /** What nobody has decided yet. */
  asked: readonly JudgedAct[];
  /** What somebody said of what was to be asked about. */
  answer: Pick<DecidedThen, "answer" | "by">;
}

const nothing: Counts = {
  callsWithoutActs: 0,
  refusedCalls: 0,
  refusedUnclear: 0,
  refusedByTools: 0,
  refusedWhilePlanning: 0,
  gates: 0,
  endpoints: 0,
};

type Counts = { -readonly [Name in keyof Unjudged]: number };

/** One replay under way. */
export class ReplayFold {
  readonly #judge: ReplayJudge;
  readonly #inForce = policyInForce();
  readonly #calls = new Map<CallId, SeenCall>();
  readonly #egress = { nowOpen: 0, nowClosed: 0 };
  readonly #unjudged = { ...nothing };
  /** The gate's command, by the contract; `null` for a gate without one, `undefined` where that is not kept. */
  #gate: ExecAct | null | undefined;
  #isGateOpen = false;
  #step = 0;

  constructor(judge: ReplayJudge) {
    this.#judge = judge;
  }

  add(event: RunEvent): void {
    this.#step = event.step;
    switch (event.type) {
      case "run.started":
        this.#gate = event.content === undefined ? undefined : commandOf(event.content.contract.verify);
        this.#addDriver(event);
        break;
      case "run.resumed":
        this.#addDriver(event);
        break;
      case "step.finished":
        this.#closeCalls();
        this.#inForce.stepFinished();
        break;
      case "approval.requested":
        this.#seen(event.call).asked = event.acts;
        break;
      case "approval.decided":
        this.#addDecision(event);
        break;
      case "tool.started":
        this.#addActs(event.call, event.acts);
        break;
      case "act.refused":
        if (event.call === null) this.#addEndpoint(event);
        else this.#addRefusal(event, event.call);
        break;
      case "tool.finished":
        if (!this.#calls.has(event.call)) this.#unjudged.callsWithoutActs += 1;
        this.#seen(event.call);
        break;
      case "sandbox.started":
        this.#addCommand(event);
        break;
      case "gate.started":
        this.#isGateOpen = this.#gate !== null;
        if (this.#gate) this.#addGate(this.#gate);
        break;
      case "gate.finished":
        if (this.#isGateOpen) this.#unjudged.gates += 1;
        this.#isGateOpen = false;
        break;
      default:
    }
  }

  /** What somebody was asked about and nobody has decided is open. */
  end(): Omit<PolicyReplay, "differences"> {
    this.#closeCalls();
    const { judged } = this.#judge;
    return { summary: this.#judge.summary(), judged, egress: this.#egress, unjudged: this.#unjudged };
  }

  #addDriver({ policy }: EventOf<"run.started" | "run.resumed">): void {
    this.#inForce.bring(policy);
    // A host that is refused is recorded, and takes this back.
    this.#unjudged.endpoints += 1;
  }

  #seen(call: CallId): SeenCall {
    const seen = this.#calls.get(call) ?? { judged: new Set(), asked: [], answer: {} };
    this.#calls.set(call, seen);
    return seen;
  }

  #addActs(call: CallId, acts: readonly JudgedAct[]): void {
    const { judged, answer } = this.#seen(call);
    for (const { act, verdict } of acts) {
      const key = nameOf(act);
      if (judged.has(key)) continue;
      judged.add(key);
      const decided = verdict.effect === "ask" ? { ...verdict, ...answer } : verdict;
      this.#judge.judge({ step: this.#step, call }, act, decided);
    }
  }

  #addDecision({ call, decision, by, remember }: EventOf<"approval.decided">): void {
    this.#inForce.remember(remember);
    if (decision === "defer") return;
    const seen = this.#seen(call);
    seen.answer = { answer: decision === "approve" ? "approved" : "denied", by };
    this.#addActs(call, seen.asked);
    seen.asked = [];
  }

  #closeCalls(): void {
    for (const [call, seen] of this.#calls) {
      if (seen.asked.length > 0) seen.answer = { answer: "open" };
      this.#addActs(call, seen.asked);
    }
    this.#calls.clear();
  }

  #addRefusal(event: EventOf<"act.refused">, call: CallId): void {
    const { answer } = this.#seen(call).answer;
    // What a person said no to was judged with their answer.
    if (event.reason === "approver" && answer === "denied") return;
    if (event.reason === "tool") this.#unjudged.refusedByTools += 1;
    else if (event.layer === planLayer) this.#unjudged.refusedWhilePlanning += 1;
    else this.#addDenied(event, call);
  }

  #addDenied(event: EventOf<"act.refused">, call: CallId): void {
    this.#unjudged.refusedCalls += 1;
    const act = refusedAct(event, this.#inForce.policy, this.#judge.options);
    if (act) this.#addActs(call, [{ act, verdict: verdictOf(event) }]);
    else this.#unjudged.refusedUnclear += 1;
  }

  #addEndpoint(event: EventOf<"act.refused">): void {
    this.#unjudged.endpoints -= 1;
    const act: Act = { type: event.act, target: event.target } as Act;
    const now = verdictOn(withProvider(this.#judge.policy, event.target), act, this.#judge.options);
    this.#judge.judge({ step: this.#step, call: null }, act, verdictOf(event), now);
  }

  #addCommand({ owner, argv }: EventOf<"sandbox.started">): void {
    const [then, now] = [commandEgress(this.#inForce.policy), commandEgress(this.#judge.policy)];
    if (then !== now) this.#egress[now === "allow" ? "nowOpen" : "nowClosed"] += 1;
    // Of an archived run the contract is gone; a gate's command is here, too.
    if (owner === "gate" && this.#isGateOpen) this.#addGate({ type: "exec", target: argv[0] ?? "", argv });
  }

  #addGate(act: ExecAct): void {
    this.#isGateOpen = false;
    const then = verdictOn(this.#inForce.policy, act, this.#judge.options);
    this.#judge.judge({ step: this.#step, call: "gate" }, act, then);
  }
}

function commandOf(verify: { readonly type: string; readonly argv?: readonly string[] }): ExecAct | null {
  const { argv } = verify;
  return verify.type === "command" && argv ? { type: "exec", target: argv[0] ?? "", argv } : null;
}

/** Without the digests of a write: made again after a crash, it may find other bytes. */
function nameOf(act: Act): string {
  return JSON.stringify([act.type, act.target, act.type === "exec" ? (act.argv ?? null) : null]);
}

/** A refusal names its rule only where one decided. */
function verdictOf({ rule, layer }: EventOf<"act.refused">): Verdict {
  return { effect: "deny", ...(rule === null || layer === null ? {} : { rule, layer }) };
}
