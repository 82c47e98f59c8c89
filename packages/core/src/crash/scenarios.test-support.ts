// Runs that between them do everything a run can do: each a script, what surrounds it, and how it ends when nobody cuts it.

import { Policy } from "@harness/policy";
import type {
  Answer,
  Approver,
  CompletionRequest,
  PlanGate,
  Responder,
  RunOutcome,
  Sandbox,
  SandboxOutcome,
} from "@harness/spec";
import { ProviderError } from "@harness/spec";
import { call, calls, type Script, say } from "@harness/testing";
import type { ContractInput } from "../contract/contract-input.js";
import { playedEnforcement } from "../gate/gates.test-support.js";
import type { Waiting } from "../loop/waiting.js";
import { approve, deny } from "../run/answers.js";
import type { World } from "./world.test-support.js";

export interface Scenario {
  readonly name: string;
  readonly script: (world: World) => Script;
  readonly contract?: Partial<ContractInput>;
  readonly policy?: Policy;
  readonly approver?: Approver;
  readonly responder?: Responder;
  readonly planGate?: PlanGate;
  /** What somebody in another process says to what the run waits for. */
  readonly answers?: (waiting: Waiting) => Answer;
  readonly ends: RunOutcome["type"];
}

const free = Policy.permissive();
const asking = new Policy().layer("all").allowRead("*").allowWrite("*").allowExec("*").layer("house").askExec("send");
const refusing = new Policy()
  .layer("all")
  .allowRead("*")
  .allowWrite("*")
  .allowExec("*")
  .layer("house")
  .denyWrite("secret*");
const gate = { type: "command", argv: ["check"] } as const;

/** Fails once, wherever that is: a failure that the log knows of is not made again. */
function failOnce(world: World, turn: number, reply: ReturnType<typeof call>) {
  return (_request: CompletionRequest) => {
    if ((world.failures.get(turn) ?? 0) > 0) return reply;
    world.failures.set(turn, 1);
    throw new ProviderError("server", "scripted", "overloaded");
  };
}

const planOf = (...intents: readonly string[]) =>
  call("propose_plan", { steps: intents.map((intent) => ({ intent })) });
const question = (text: string) => call("ask_question", { question: text, choices: ["blue", "red"] });

/** Asks in every way that there is, and sends what nobody can look up. */
const attended: Script = [
  calls(call("put", { key: "a", value: "0" }), planOf("send"), call("get", { key: "a" })),
  calls(planOf("ask", "send"), question("Which colour?"), call("put", { key: "a", value: "1" })),
  calls(call("send", { text: "draft" }), question("And now?"), call("send", { text: "final" })),
  say("done"),
];
const attendedContract = { plan: true, questions: true } as const;

export const scenarios: readonly Scenario[] = [
  {
    name: "a plan, questions and approvals, answered in the process",
    script: () => attended,
    contract: attendedContract,
    policy: asking,
    approver: { decide: async ({ input }) => (input.text === "draft" ? deny("not a draft") : approve()) },
    responder: { answer: async () => "blue" },
    planGate: {
      review: async ({ length }) => (length === 1 ? { type: "revise", correction: "more steps" } : { type: "approve" }),
    },
    ends: "finished",
  },
  {
    name: "a plan, questions and approvals, answered from another process",
    script: () => attended,
    contract: attendedContract,
    policy: asking,
    answers: fromElsewhere,
    ends: "finished",
  },
  {
    name: "a plan that is called off",
    script: () => [call("get", { key: "a" }), planOf("give up")],
    contract: attendedContract,
    planGate: { review: async () => ({ type: "cancel" }) },
    ends: "plan-rejected",
  },
  {
    name: "a plan under a gate, which is not asked before there is work",
    script: () => [
      call("put", { key: "a", value: "good" }),
      say("I would begin."),
      planOf("do it well"),
      call("put", { key: "a", value: "good" }),
    ],
    contract: { verify: gate, plan: true },
    planGate: { review: async () => ({ type: "approve" }) },
    ends: "success",
  },
  {
    name: "reads, one and side by side",
    script: () => [
      call("put", { key: "a", value: "1" }),
      call("get", { key: "a" }),
      calls(call("get", { key: "a" }), call("get", { key: "b" }), call("get", { key: "a" })),
      say("done"),
    ],
    ends: "finished",
  },
  {
    name: "writes, a command that may be run again, and effects that may not",
    script: () => [
      calls(call("put", { key: "a", value: "1" }), call("put", { key: "a", value: "2" }), call("get", { key: "a" })),
      calls(call("measure", { text: "x" }), call("send", { text: "mail" }), call("get", { key: "a" })),
      calls(call("notify", { text: "you" }), call("put", { key: "b", value: "3" })),
      say("done"),
    ],
    ends: "finished",
  },
  {
    name: "a refusal, an unknown tool and arguments that do not fit",
    script: () => [
      calls(
        call("put", { key: "secret", value: "1" }),
        call("parallel", { tool_uses: [] }),
        call("get", { wrong: true }),
      ),
      call("put", { key: "open", value: "1" }),
      say("done"),
    ],
    policy: refusing,
    ends: "finished",
  },
  {
    name: "an approval that changes the arguments, and one that is declined",
    script: () => [
      calls(call("send", { text: "draft" }), call("get", { key: "a" }), call("send", { text: "no" })),
      say("done"),
    ],
    policy: asking,
    approver: {
      decide: async ({ input }) => (input.text === "no" ? deny("not this one") : approve({ input: { text: "final" } })),
    },
    ends: "finished",
  },
  {
    name: "a completion that fails and is asked for again",
    script: (world) => [
      call("put", { key: "a", value: "1" }),
      failOnce(world, 2, call("get", { key: "a" })),
      say("done"),
    ],
    contract: { limits: { retryBaseMs: 0 } },
    ends: "finished",
  },
  {
    name: "a gate that fails, then passes",
    script: () => [call("put", { key: "a", value: "bad" }), call("put", { key: "a", value: "good" })],
    contract: { verify: gate },
    ends: "success",
  },
  {
    name: "the budget of steps",
    script: () => Array.from({ length: 9 }, (_, index) => call("get", { key: `k${index}` })),
    contract: { limits: { maxSteps: 3 } },
    ends: "budget",
  },
  {
    name: "the budget of time",
    script: () => Array.from({ length: 9 }, (_, index) => call("wait", { nth: index + 1 })),
    contract: { limits: { maxDurationMs: 2_500 } },
    ends: "budget",
  },
  {
    name: "the budget of tokens",
    script: () => Array.from({ length: 9 }, (_, index) => call("put", { key: `k${index}`, value: "v" })),
    contract: { limits: { maxTokens: 40 } },
    ends: "budget",
  },
  {
    name: "a run that stalls, is told so, and stalls again",
    script: () => Array.from({ length: 12 }, () => call("get", { key: "a" })),
    ends: "stalled",
  },
];

/** Says no to a draft, corrects a plan of one step, approves everything else. */
function fromElsewhere({ type, request, ...waiting }: Waiting): Answer {
  const by = "ops";
  switch (type) {
    case "approval": {
      const isDraft = "input" in waiting && waiting.input.text === "draft";
      return { type, by, request: request as never, decision: isDraft ? deny("not a draft") : approve() };
    }
    case "question":
      return { type, by, request: request as never, text: "blue" };
    case "plan": {
      const isShort = "steps" in waiting && waiting.steps.length === 1;
      const verdict = isShort
        ? ({ type: "revise", correction: "more steps" } as const)
        : ({ type: "approve" } as const);
      return { type, by, request: request as never, verdict };
    }
    default:
      throw new Error(`Nobody answers ${type} here.`);
  }
}

export function policyOf(scenario: Scenario): Policy {
  return scenario.policy ?? free;
}

/** A sandbox whose only command looks at the world. */
export function checkingSandbox(world: World): Sandbox {
  const outcome = (argv: readonly string[], exitCode: number): SandboxOutcome => ({
    backend: "double",
    argv,
    exitCode,
    signal: null,
    capHit: null,
    stopped: null,
    stdout: { text: exitCode === 0 ? "ok" : "a is not good", elidedBytes: 0 },
    stderr: { text: "", elidedBytes: 0 },
    wallMs: 0,
  });
  return {
    spec: 1,
    backend: "double",
    enforces: playedEnforcement,
    run: async ({ argv }) => outcome(argv, world.values.get("a") === "good" ? 0 : 1),
    spawn: async () => {
      throw new Error("Nothing is spawned here.");
    },
  };
}
