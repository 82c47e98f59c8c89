// The head of a run: what was asked for and under which rules. And its foot: why it stopped.
import { type EventOf, isEnding, type RunOutcome, type TaskContract } from "@harness/spec";
import { outcomeText } from "./outcome-text.js";
import type { Paint } from "./paint.js";
import { clip } from "./printable.js";

export function headerLines(event: EventOf<"run.started">, paint: Paint): readonly string[] {
  const { run, provider, workspace, limits, policy, backend, content } = event;
  const contract = content?.contract;
  const layers = policy.layers.map(({ name }) => name).join(", ");
  const rows: readonly (readonly [string, string])[] = [
    ["goal", clip(contract?.goal ?? "(not kept)", 300)],
    ["workspace", workspace],
    ["check", contract ? checkText(contract.verify) : "(not kept)"],
    ["model", provider],
    ["policy", layers === "" ? "defaults only" : `layers ${layers}`],
    ["commands", backend === null ? "none can be run" : `run in ${backend}`],
    ["limits", limitsText(limits)],
  ];
  return [`${paint.bold("Run")} ${run}`, ...rows.map(([name, value]) => `  ${paint.dim(name.padEnd(9))} ${value}`)];
}

export function checkText(gate: TaskContract["verify"]): string {
  switch (gate.type) {
    case "none":
      return "none";
    case "command":
      return clip(gate.argv.join(" "), 200);
    case "file-contains":
      return `${gate.path} contains ${clip(JSON.stringify(gate.text), 100)}`;
    case "file-equals":
      return `${gate.path} is exactly ${clip(JSON.stringify(gate.text), 100)}`;
    default:
      return gate satisfies never;
  }
}

function limitsText({ maxSteps, maxTokens, maxDurationMs }: TaskContract["limits"]): string {
  return [
    `${maxSteps} steps`,
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxDurationMs === undefined ? [] : [`${maxDurationMs} ms`]),
  ].join(", ");
}

/** The outcome that a stop stands for. */
export function outcomeOf(event: EventOf<"run.paused" | "run.finished">): RunOutcome {
  const { steps } = event;
  if (event.type === "run.finished") return { steps, ...event.ending };
  const { pause } = event;
  const message = event.content?.message ?? null;
  switch (pause.type) {
    case "cancelled":
      return { steps, type: "cancelled", ...(message === null ? {} : { reason: message }) };
    case "failed": {
      const { code, kind, isRetryable } = pause;
      const error = { code, ...(kind === undefined ? {} : { kind }), message: message ?? code };
      return { steps, type: "failed", error, isRetryable };
    }
    default:
      return { steps, ...pause };
  }
}

/** Why it stopped: green for what was wanted, red for what was not, yellow for what can go on. */
export function stopLine(event: EventOf<"run.paused" | "run.finished">, paint: Paint): string {
  const { bold, green, red, yellow } = paint;
  const outcome = outcomeOf(event);
  const isGood = outcome.type === "success" || outcome.type === "finished";
  const colour = isGood ? green : isEnding(outcome) || outcome.type === "failed" ? red : yellow;
  return bold(colour(outcomeText(outcome)));
}
