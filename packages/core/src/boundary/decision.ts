// An approver's answer, checked where it comes in: it may be anybody's code, or a model's. What is not plainly an answer is
// none, and a boundary that cannot decide does not let anything through.
import { type Decision, isJsonObject } from "@harness/spec";
import { z } from "zod";

const rule = z.strictObject({
  act: z.enum(["read", "write", "exec", "net"]),
  effect: z.enum(["allow", "ask", "deny"]),
  pattern: z.string(),
});

const decision = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("approve"),
    input: z.custom<Record<string, never>>(isJsonObject, "must be an object").optional(),
    remember: z.array(rule).optional(),
  }),
  z.strictObject({ type: z.literal("deny"), reason: z.string(), final: z.boolean().optional() }),
  z.strictObject({ type: z.literal("defer") }),
]);

/** The decision, or what is wrong with it. */
export function readDecision(answer: unknown): Decision | { readonly type: "unreadable"; readonly detail: string } {
  const read = decision.safeParse(answer);
  if (read.success) return read.data as Decision;
  const [issue] = read.error.issues;
  const place = issue?.path.join(".");
  return { type: "unreadable", detail: `${place ? `${place}: ` : ""}${issue?.message ?? "it is no decision"}` };
}
