// The tools that are core's own: what they do is to wait for a person, so the loop does it and they are never entered. Each is
// offered where the contract wants it, and a plan is proposed only until one is approved.
import { type AnyTool, ConfigError, defineTool, type TaskContract } from "@harness/spec";
import { z } from "zod";
import { type ToolTable, toolTable } from "./tool-table.js";

const sentence = z.string().regex(/\S/, "must not be blank");

export const questionInput = z.strictObject({
  question: sentence.describe("One question, with what the person needs to answer it."),
  context: z.string().optional().describe("What you know already, and why it matters."),
  choices: z.array(sentence).max(20).default([]).describe("Answers that you expect; any other is possible, too."),
});

export const planInput = z.strictObject({
  steps: z
    .array(z.strictObject({ intent: sentence.describe("What this step is to achieve, in a sentence.") }))
    .min(1, "must have a step")
    .max(100)
    .describe("What you intend to do, in order."),
});

export const askQuestion = core(
  "ask_question",
  "Asks a person a question and waits for the answer. Ask when the task leaves open what only they can know. An answer is " +
    "information: it permits nothing that is refused.",
  questionInput,
);

export const proposePlan = core(
  "propose_plan",
  "Proposes how you will reach the goal and waits until a person approves it, asks for another one or calls the run off.",
  planInput,
);

function core<Input>(name: string, description: string, input: z.ZodType<Input>): AnyTool {
  // A write, so that it stands alone and in its order: what it waits for may change what the calls behind it may do.
  return defineTool<Input>({
    ...{ name, description, input, effect: "write", recovery: "replayable" },
    acts: async () => [],
    invoke: () => Promise.reject(new Error(`${name} is not entered.`)),
  });
}

export interface Offers {
  readonly tools: ToolTable;
  /** In their place while a plan is made; `undefined` for a contract that wants none. */
  readonly planning: ToolTable | undefined;
}

/** The caller's tools with core's own. Throws `ConfigError` as `toolTable` does, and for a caller's tool with a name of core's. */
export function offer(given: readonly AnyTool[], { questions, plan }: TaskContract): Offers {
  const own = questions ? [askQuestion] : [];
  for (const { name } of [...own, ...(plan ? [proposePlan] : [])]) {
    if (given.some((tool) => tool.name === name)) {
      throw new ConfigError(
        `A tool was given as "${name}", which is core's own under this contract. Give yours another name.`,
      );
    }
  }
  return {
    tools: toolTable([...given, ...own]),
    planning: plan ? toolTable([...given, ...own, proposePlan]) : undefined,
  };
}
