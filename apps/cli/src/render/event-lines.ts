// The lines that an event adds to what a person reads. One reading for a run under way and for a trace of long ago; what says
// nothing to a person, such as a file being kept, adds no line.
import type { EventOf, RunEvent } from "@harness/spec";
import { decisionLines, finishedCallLines, quoted, refusalLines, requestLines } from "./call-lines.js";
import { duration, shortestWaitMs } from "./durations.js";
import { hanging } from "./fit.js";
import { recoveryLines, recoveryRequestLines, resumedLines } from "./interrupted.js";
import { billTexts } from "./money.js";
import { answeredLines, planLines, questionLines, verdictLines } from "./people-lines.js";
import { clip, excerpt, gist, linesOf, printable, width, wrap } from "./printable.js";
import { rewoundLines } from "./rewound-lines.js";
import { headerLines, stopLine } from "./run-lines.js";
import { sandboxLines } from "./sandbox-lines.js";
import { marks, type Style } from "./style.js";
import type { Timeline } from "./timeline.js";

/** Lines for `event`, without line breaks. `timeline` is what was known before it. */
export function eventLines(timeline: Timeline, event: RunEvent, style: Style): readonly string[] {
  return stepLevelLines(timeline, event, style).flatMap((line) => hanging(line, style.columns));
}

function stepLevelLines(timeline: Timeline, event: RunEvent, style: Style): readonly string[] {
  switch (event.type) {
    case "step.started":
      return ["", stepLine(timeline, event, style)];
    case "completion.finished":
      return answerLines(timeline, event, style);
    case "completion.failed":
      return failureLines(event, style);
    case "tool.finished":
      return finishedCallLines(timeline, event, style);
    case "act.refused":
      return refusalLines(timeline, event, style);
    case "approval.requested":
      return requestLines(timeline, event, style);
    case "approval.decided":
      return decisionLines(event, style);
    case "recovery.requested":
      return recoveryRequestLines(timeline, event, style);
    case "recovery.decided":
      return recoveryLines(timeline, event, style);
    case "question.asked":
      return questionLines(event, style);
    case "question.answered":
      return answeredLines(event, style);
    case "plan.proposed":
      return planLines(event, style);
    case "plan.decided":
      return verdictLines(event, style);
    case "gate.finished":
      return checkLines(timeline, event, style);
    default:
      return runLevelLines(timeline, event, style);
  }
}

function runLevelLines(timeline: Timeline, event: RunEvent, style: Style): readonly string[] {
  const { note } = marks(style.paint);
  switch (event.type) {
    case "run.started":
      return headerLines(event, style);
    case "run.resumed":
      return ["", ...resumedLines(timeline, event, style)];
    case "run.paused":
    case "run.finished":
      return ["", stopLine(event, style.paint)];
    case "run.stalled":
      return [`  ${note} it repeats itself (${event.why})`];
    case "run.replanned":
      return [`  ${note} the model was told to do something else`];
    case "budget.refused":
      return [`  ${note} not started: ${event.wanted} wanted and ${event.left} left of the budget for ${event.limit}`];
    case "cancel.requested":
      return [`  ${note} ${printable(event.content?.reason ?? "the run was told to stop")}`];
    case "gate.unprotected":
      return [`  ${note} the agent may change what judges its work: ${clip(event.paths.join(", "), 200)}`];
    case "workspace.shared":
      return [`  ${note} run ${event.with} works in the same workspace`];
    case "files.rewound":
      return ["", ...rewoundLines(event, style)];
    default:
      return sandboxLines(timeline, event, style);
  }
}

function stepLine({ started }: Timeline, { step, at }: EventOf<"step.started">, { paint }: Style): string {
  return `${paint.bold(`Step ${step}`)}${started ? paint.dim(` · at ${duration(at - started.at)}`) : ""}`;
}

function answerLines(timeline: Timeline, event: EventOf<"completion.finished">, style: Style): readonly string[] {
  const { columns, maxAsideLines, hint } = style;
  const { content, calls } = event;
  const said = linesOf(content?.text ?? "").flatMap((line) => wrap(line, columns - 2));
  const shown = (calls.length > 0 ? excerpt(said, maxAsideLines, hint) : said).map((line) => `  ${line}`.trimEnd());
  const facts = style.paint.dim(`(${completionFacts(timeline, event)})`);
  const last = `${shown.at(-1) ?? " "} ${facts}`;
  const answer = width(last) <= columns ? [...shown.slice(0, -1), last] : [...shown, `  ${facts}`];
  return [...linkLines(event, style), ...answer];
}

/** Who was asked before, and why that came to nothing. */
function linkLines(
  { failedLinks = [], content }: EventOf<"completion.finished" | "completion.failed">,
  { paint }: Style,
): readonly string[] {
  return failedLinks.map(({ provider, kind }, index) => {
    const why = clip(content?.failedLinks?.[index] ?? "", 300);
    return `  ${marks(paint).note} ${clip(provider, 60)} did not answer (${kind}): ${why}`;
  });
}

/** `some-model, 900 + 120 tokens, 1.3 s`. What is not known is left out, but that nothing was said of tokens is said. */
function completionFacts({ askedAt, isAsking, prices }: Timeline, event: EventOf<"completion.finished">): string {
  const { model, usage, at, stop, servedBy } = event;
  return [
    ...(model === null ? [] : [clip(model, 60)]),
    ...(servedBy === null ? [] : [`served by ${clip(servedBy, 60)}`]),
    usage ? `${usage.promptTokens} + ${usage.completionTokens} tokens` : "tokens unknown",
    ...billTexts({ model, usage }, prices),
    ...(isAsking ? [duration(at - askedAt)] : []),
    ...(stop === "end" || stop === "tool-calls" ? [] : [`stopped by ${stop}`]),
  ].join(", ");
}

function failureLines(event: EventOf<"completion.failed">, style: Style): readonly string[] {
  const { paint } = style;
  const { kind, retryInMs, content } = event;
  if (kind === "cancelled") return [`  ${marks(paint).note} the completion was stopped`];
  const next = retryInMs === null ? "" : `; asked again in ${duration(retryInMs)}`;
  const why = clip(content?.message ?? "", 300);
  return [...linkLines(event, style), `  ${marks(paint).bad} the model did not answer (${kind}): ${why}${next}`];
}

function checkLines(
  { checkedAt }: Timeline,
  { result, content, at }: EventOf<"gate.finished">,
  style: Style,
): readonly string[] {
  const { good, bad } = marks(style.paint);
  const tookMs = at - checkedAt;
  const took = tookMs >= shortestWaitMs ? `  ${duration(tookMs)}` : "";
  const detail = style.paint.dim(clip(content?.detail ?? "", 300)) + took;
  if (result === "passed") return [`  ${good} check passed  ${detail}`];
  const what = result === "failed" ? "check failed" : "check could not be run";
  const output = linesOf(content?.output ?? "");
  return [
    `  ${bad} ${style.paint.red(what)}  ${detail}`,
    ...quoted(gist(output, style.maxOutputLines, style.hint), style),
  ];
}
