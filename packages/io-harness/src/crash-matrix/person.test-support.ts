// The person who is asked by a scripted run: what the scenario says, and, where nobody knows what became of a call, what the world
// shows to whoever looks.
import { attach, completed, type ResumeOptions, retry, type Waiting } from "@harness/core";
import type { Answer, RecoveryDecision, Store } from "@harness/spec";
import { type Scenario, theRun } from "./scenario.test-support.js";
import { sentLine } from "./tools.test-support.js";
import { effectsIn, type World } from "./world.test-support.js";

interface Asked {
  readonly scenario: Scenario;
  readonly world: World;
  readonly store: Store;
}

/** An answer to everything that the run waits for. */
export async function answersTo({ scenario, world, store }: Asked): Promise<readonly Answer[]> {
  const waiting = await attach(store, theRun).waiting();
  return waiting.map((one) => {
    if (one.type === "recovery") {
      return { type: "recovery", by: "ops", request: one.request, decision: whatBecameOf(one, world) };
    }
    if (!scenario.answers) throw new Error(`"${scenario.name}" waits for ${one.type}, and nobody was to be asked.`);
    return scenario.answers(one);
  });
}

/** A command leaves its last word, `send` a line of its own. */
function whatBecameOf({ tool, call, input }: Waiting & { type: "recovery" }, world: World): RecoveryDecision {
  const effects = effectsIn(world);
  if (tool === "send") {
    return effects.includes(sentLine(call, String(input.text))) ? completed(`sent ${input.text}`) : retry();
  }
  const mark = Array.isArray(input.argv) ? String(input.argv.at(-1)) : "";
  return effects.includes(mark) ? completed("Exit code 0.\n(no output)") : retry();
}

/** `answer` as a resume brings it. */
export function brought(answer: Answer): Pick<ResumeOptions, "decision" | "answer" | "verdict" | "recovery"> {
  switch (answer.type) {
    case "approval":
      return { decision: answer.decision };
    case "question":
      return { answer: answer.text };
    case "plan":
      return { verdict: answer.verdict };
    case "recovery":
      return { recovery: answer.decision };
    default:
      return answer satisfies never;
  }
}
