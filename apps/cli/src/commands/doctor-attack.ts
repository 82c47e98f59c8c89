// harness doctor --attack: tries on this machine what a command might, and says whether the sandbox keeps its word.
import type { Backend, SandboxNeeds, SandboxSource } from "@harness/spec";
import { type AttackResult, falseDeclarations, runAttacks } from "@harness/testing/attacks";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { attackLine, attackObject, attackSummary, attackTitle } from "../render/attack-lines.js";
import { paintFor } from "../render/paint.js";
import { columnsOf } from "../render/style.js";

export interface DoctorAttackOptions {
  readonly isJson: boolean;
  readonly sandboxes: SandboxSource;
  readonly signal: AbortSignal;
}

/** Prints each result as it comes, or all of them as one object. Fails when something that the sandbox declares is false. */
export async function doctorAttack(terminal: Terminal, options: DoctorAttackOptions): Promise<number> {
  const { isJson, sandboxes, signal } = options;
  const { out, env } = terminal;
  const look = { paint: paintFor(out, env), columns: columnsOf(out) };
  const print = (lines: readonly string[]) => out.write(lines.map((line) => `${line}\n`).join(""));
  const results: AttackResult[] = [];
  let backend: Backend | undefined;
  const watched = async (needs: SandboxNeeds) => {
    const sandbox = await sandboxes(needs);
    backend ??= sandbox.backend;
    return sandbox;
  };

  try {
    for await (const result of runAttacks(watched, { signal })) {
      if (!isJson) print([...(results.length === 0 ? attackTitle(backend, look) : []), ...attackLine(result, look)]);
      results.push(result);
    }
  } catch (error) {
    if (signal.aborted) return exitCodes.cancelled;
    throw error;
  }
  const wrong = falseDeclarations(results);
  const outcome = { backend: backend ?? "no sandbox", results, wrong };
  print(isJson ? [JSON.stringify(attackObject(outcome))] : attackSummary(outcome, look));
  return wrong.length === 0 ? exitCodes.done : exitCodes.failed;
}
