// Answers, checked where they come in: they may be anybody's code, a model's, or text in a store. What is not plainly an answer
// is none, and a boundary that cannot decide does not let anything through.
import { Policy } from "@harness/policy";
import { type Answer, type Decision, isJsonObject, type PlanVerdict, type RecoveryDecision } from "@harness/spec";
import { z } from "zod";

const rule = z
  .strictObject({
    act: z.enum(["read", "write", "exec", "net"]),
    effect: z.enum(["allow", "ask", "deny"]),
    pattern: z.string(),
  })
  .check((given) => {
    const problem = ruleProblem(given.value);
    if (problem) given.issues.push({ code: "custom", message: problem, input: given.value });
  });

const approval = z.strictObject({
  type: z.literal("approve"),
  input: z.custom<Record<string, never>>(isJsonObject, "must be an object").optional(),
  remember: z.array(rule).optional(),
});
const denial = z.strictObject({ type: z.literal("deny"), reason: z.string(), final: z.boolean().optional() });
const deferral = z.strictObject({ type: z.literal("defer"), reason: z.string().optional() });

const decision = z.discriminatedUnion("type", [approval, denial, deferral]);

const verdict = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approve") }),
  z.strictObject({ type: z.literal("revise"), correction: z.string().regex(/\S/, "must say what to change") }),
  z.strictObject({ type: z.literal("cancel") }),
]);

const recovery = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("retry") }),
  z.strictObject({ type: z.literal("completed"), observation: z.string() }),
  z.strictObject({ type: z.literal("abort") }),
]);

// A look at the world is recorded with its result; in the name of one, nobody else can settle a call.
const by = z.string().refine((name) => name.trim() !== "" && name !== "probe", "must be the name of who answers");
const request = z.string().min(1);

const answer = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("approval"),
    request,
    by,
    decision: z.discriminatedUnion("type", [approval, denial]),
  }),
  z.strictObject({ type: z.literal("question"), request, by, text: z.string() }),
  z.strictObject({ type: z.literal("plan"), request, by, verdict }),
  z.strictObject({ type: z.literal("recovery"), request, by, decision: recovery }),
]);

export interface Unreadable {
  readonly type: "unreadable";
  readonly detail: string;
}

/** The decision of an approver, or what is wrong with it. */
export function readDecision(given: unknown): Decision | Unreadable {
  return read<Decision>(decision, given);
}

export function readVerdict(given: unknown): PlanVerdict | Unreadable {
  return read<PlanVerdict>(verdict, given);
}

export function readRecovery(given: unknown): RecoveryDecision | Unreadable {
  return read<RecoveryDecision>(recovery, given);
}

/** An answer as it is left for a run. One that defers is none: not to answer says the same. */
export function readAnswer(given: unknown): Answer | Unreadable {
  return read<Answer>(answer, given);
}

function read<Value>(schema: z.ZodType, given: unknown): Value | Unreadable {
  const result = schema.safeParse(given);
  if (result.success) return result.data as Value;
  const [issue] = result.error.issues;
  const place = issue?.path.join(".");
  return { type: "unreadable", detail: `${place ? `${place}: ` : ""}${issue?.message ?? "it is no answer"}` };
}

function ruleProblem({ act, effect, pattern }: z.infer<typeof rule>): string | undefined {
  try {
    new Policy().rule(act, effect, pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
