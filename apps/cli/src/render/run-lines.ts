// The head of a run: what was asked for and under which rules. And its foot: why it stopped.
import { type EventOf, isEnding, microsText, type PriceTable, type TaskContract } from "@harness/spec";
import { openingsText } from "./enforcement.js";
import { hanging } from "./fit.js";
import { outcomeOf, outcomeText } from "./outcome-text.js";
import type { Paint } from "./paint.js";
import { clip, printable } from "./printable.js";
import type { Style } from "./style.js";

export function headerLines(event: EventOf<"run.started">, { paint, columns }: Style): readonly string[] {
  const { run, provider, workspace, limits, policy, pricing, content } = event;
  const contract = content?.contract;
  const layers = policy.layers.map(({ name }) => name).join(", ");
  const rows: readonly (readonly [string, string])[] = [
    ["goal", clip(contract?.goal ?? "(not kept)", 300)],
    ["workspace", workspace],
    ["check", contract ? checkText(contract.verify) : "(not kept)"],
    ["model", provider],
    ["policy", layers === "" ? "defaults only" : `layers ${layers}`],
    ["commands", commandsText(event)],
    ["limits", limitsText(limits, pricing?.table)],
  ];
  const lines = rows.map(([name, value]) => `  ${paint.dim(name.padEnd(9))} ${printable(value)}`);
  return [`${paint.bold("Run")} ${run}`, ...lines.flatMap((line) => hanging(line, columns, " ".repeat(12)))];
}

function commandsText({ backend, enforces }: EventOf<"run.started">): string {
  if (backend === null) return "none can be run";
  const open = enforces === null ? undefined : openingsText(enforces);
  return `run in ${backend}${open === undefined ? "" : `, which does not keep them from ${open}`}`;
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

function limitsText(
  { maxSteps, maxTokens, maxDurationMs, maxCostMicros }: TaskContract["limits"],
  table: Pick<PriceTable, "currency"> = {},
): string {
  return [
    `${maxSteps} steps`,
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostMicros === undefined ? [] : [microsText(maxCostMicros, table)]),
    ...(maxDurationMs === undefined ? [] : [`${maxDurationMs} ms`]),
  ].join(", ");
}

/** Why it stopped: green for what was wanted, red for what was not, yellow for what can go on. */
export function stopLine(event: EventOf<"run.paused" | "run.finished">, paint: Paint): string {
  const { bold, green, red, yellow } = paint;
  const outcome = outcomeOf(event);
  const isGood = outcome.type === "success" || outcome.type === "finished";
  const colour = isGood ? green : isEnding(outcome) || outcome.type === "failed" ? red : yellow;
  return bold(colour(outcomeText(outcome)));
}
