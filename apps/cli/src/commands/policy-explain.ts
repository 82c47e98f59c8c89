// harness policy explain <act> <target…>

import { Policy } from "@harness/policy";
import { type ActType, ConfigError, isHarnessError, type Verdict } from "@harness/spec";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { ruleText } from "../render/acts.js";
import { type Paint, paintFor } from "../render/paint.js";
import { printable } from "../render/printable.js";
import { readPolicy } from "./run.js";

export interface ExplainFlags {
  readonly policy?: string;
}

export async function explainCommand(
  terminal: Terminal,
  act: ActType,
  targets: readonly string[],
  flags: ExplainFlags,
): Promise<number> {
  const policy = flags.policy === undefined ? Policy.standard() : await readPolicy(terminal, flags.policy);
  const paint = paintFor(terminal.out, terminal.env);
  // A command is one target however many words it has.
  const asked: readonly (string | readonly string[])[] = act === "exec" ? [targets] : targets;
  for (const target of asked) terminal.out.write(`${verdictLine(policy, act, target, paint)}\n`);
  return exitCodes.done;
}

function verdictLine(policy: Policy, act: ActType, target: string | readonly string[], paint: Paint): string {
  const what = printable(`${act} ${typeof target === "string" ? target : target.join(" ")}`);
  try {
    const { effect, rule, layer } = policy.explain(act, target);
    return `${colours(paint)[effect](effect)}  ${what}  by ${ruleText(rule, layer)}`;
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    // No rule is asked about what cannot even be named.
    if (error.code === "act-refused") return `${paint.red("deny")}  ${what}  whatever the rules say: ${error.reason}`;
    throw new ConfigError(error.message, { cause: error });
  }
}

function colours({ green, yellow, red }: Paint): Readonly<Record<Verdict["effect"], Paint["red"]>> {
  return { allow: green, ask: yellow, deny: red };
}
