// Scripted runs that ask people: in the process, by a resume, and through the inbox while nobody drives.
import { approve, deny, type Waiting } from "@harness/core";
import { Policy } from "@harness/policy";
import type { Answer } from "@harness/spec";
import { call, calls, type Script, say } from "@harness/testing";
import type { Scenario } from "./scenario.test-support.js";

const asking = new Policy()
  .layer("all")
  .allowRead("*")
  .allowWrite("*")
  .allowExec("*")
  .layer("house")
  .askExec("send")
  .askWrite("notes/*");

const read = (path: string) => call("read_file", { path });
const write = (path: string, content: string) => call("write_file", { path, content });
const send = (text: string) => call("send", { text });
const planOf = (...intents: readonly string[]) =>
  call("propose_plan", { steps: intents.map((intent) => ({ intent })) });
const ask = (question: string) => call("ask_question", { question, choices: ["blue", "red"] });

const approvals: Script = [
  calls(send("draft"), read("a.txt"), write("notes/c.txt", "see\n")),
  calls(send("open"), send("final")),
  say("done"),
];

const plan: Script = [
  calls(read("a.txt"), planOf("send"), write("early.txt", "refused")),
  calls(planOf("ask", "send"), write("c.txt", "sea\n")),
  say("done"),
];

const questions: Script = [calls(ask("Which colour?"), write("c.txt", "blue\n")), ask("And now?"), say("done")];

const everything: Script = [
  calls(read("a.txt"), planOf("ask", "send")),
  calls(ask("Which colour?"), write("c.txt", "sea\n")),
  calls(send("final"), read("c.txt")),
  say("done"),
];

/** No to a draft, other words for what is still open, a plan of two steps, blue. */
function person({ type, request, ...waiting }: Waiting): Answer {
  const by = "ops";
  switch (type) {
    case "approval": {
      const { text } = "input" in waiting ? waiting.input : {};
      if (text === "draft") return { type, by, request: request as never, decision: deny("not a draft") };
      const input = text === "open" ? { input: { text: "settled" } } : {};
      return { type, by, request: request as never, decision: approve(input) };
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

export const peopleScenarios: readonly Scenario[] = [
  {
    name: "approvals by an approver in the process",
    script: () => approvals,
    policy: asking,
    approver: () => ({
      decide: async ({ input }) => {
        if (input.text === "draft") return deny("not a draft");
        const remember = [{ act: "exec", effect: "allow", pattern: "send" }] as const;
        return input.text === "open" ? approve({ input: { text: "settled" } }) : approve({ remember });
      },
    }),
    ends: "finished",
  },
  {
    name: "approvals put off, and brought by a resume",
    script: () => approvals,
    policy: asking,
    approver: () => ({ decide: async () => ({ type: "defer", reason: "later" }) }),
    answers: person,
    ends: "finished",
  },
  {
    name: "approvals left in the inbox before a resume",
    script: () => approvals,
    policy: asking,
    answers: person,
    delivery: "inbox",
    ends: "finished",
  },
  {
    name: "approvals by somebody who is faster than the approver",
    script: () => approvals,
    policy: asking,
    approver: (seat) => ({
      async decide(_request, { signal }) {
        for (const waiting of await seat.waiting()) await seat.answer(person(waiting));
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
    ends: "finished",
  },
  {
    name: "a denial that ends the run",
    script: () => [calls(read("a.txt"), send("never"))],
    policy: asking,
    approver: () => ({ decide: async () => deny("stop", { final: true }) }),
    ends: "denied",
  },
  {
    name: "a plan corrected and approved by a gate in the process",
    script: () => plan,
    contract: { plan: true },
    planGate: {
      review: async ({ length }) => (length === 1 ? { type: "revise", correction: "more steps" } : { type: "approve" }),
    },
    ends: "finished",
  },
  {
    name: "a plan corrected and approved by resumes",
    script: () => plan,
    contract: { plan: true },
    answers: person,
    ends: "finished",
  },
  {
    name: "a plan that is called off",
    script: () => [call("list_dir"), planOf("give up")],
    contract: { plan: true },
    planGate: { review: async () => ({ type: "cancel" }) },
    ends: "plan-rejected",
  },
  {
    name: "questions answered by a responder in the process",
    script: () => questions,
    contract: { questions: true },
    responder: { answer: async () => "blue" },
    ends: "finished",
  },
  {
    name: "questions answered by resumes",
    script: () => questions,
    contract: { questions: true },
    answers: person,
    ends: "finished",
  },
  {
    name: "a plan, questions and approvals, answered by another process while nobody drives",
    script: () => everything,
    contract: { plan: true, questions: true },
    policy: asking,
    answers: person,
    stages: ["start", "answer", "start", "answer", "start", "answer", "drive"],
    ends: "finished",
  },
];
