// Lines about calls: how each ended and what it was allowed by, what was refused and by whom, what was asked.
import type { CallId, EventOf } from "@harness/spec";
import { actText, actTexts, inputText, ruleText } from "./acts.js";
import { diffLines } from "./diff-lines.js";
import { duration, shortestWaitMs } from "./durations.js";
import { chopped } from "./fit.js";
import { clip, gist, linesOf, printable, width } from "./printable.js";
import { inset, marks, type Style } from "./style.js";
import type { CallView, Timeline } from "./timeline.js";

export function callOf({ calls }: Timeline, id: CallId | null): CallView | undefined {
  return calls.find((call) => call.id === id);
}

export function finishedCallLines(
  timeline: Timeline,
  event: EventOf<"tool.finished">,
  style: Style,
): readonly string[] {
  const call = callOf(timeline, event.call);
  // The refusal was told when it was recorded.
  if (event.status === "refused") return [];
  const { good, bad, note } = marks(style.paint);
  const isAnswer = event.status === "ok";
  const mark = !isAnswer ? bad : call?.isCommandBad ? note : good;
  const status = isAnswer ? "" : ` ${style.paint.red(event.status)}`;
  const title = `  ${mark} ${call?.name ?? event.call}${status}`;
  const what = call && call.acts.length > 0 ? actTexts(call.acts, call.name) : [inputText(call?.input ?? null)];
  return [...titleLines(title, what, summary(call, event), style), ...detail(call, event, style)];
}

/** On one line what fits there, else each act on a line of its own. */
function titleLines(title: string, acts: readonly string[], came: string, style: Style): readonly string[] {
  const { paint, columns } = style;
  const line = [title, paint.dim(acts.join(", ")), came].filter((part) => width(part) > 0).join("  ");
  if (width(line) <= columns) return [line];
  return [[title, came].filter((part) => part !== "").join("  "), ...acts.map((act) => inset + paint.dim(act))];
}

/** What came of it in a few characters: lines changed or read, and its time where somebody had to wait for it. */
function summary(call: CallView | undefined, event: EventOf<"tool.finished">): string {
  const counts = event.changes.map(({ added, removed }) => `+${added} −${removed}`);
  const text = event.content?.text;
  const lines = isRead(call, event) && text !== undefined ? linesOf(text).length : 0;
  const tookMs = call?.startedAt === undefined ? 0 : event.at - call.startedAt;
  return [
    ...counts,
    ...(lines > 0 ? [`${lines} ${lines === 1 ? "line" : "lines"}`] : []),
    ...(tookMs >= shortestWaitMs ? [duration(tookMs)] : []),
  ].join("  ");
}

/** It was there to look at something, and did. */
function isRead(call: CallView | undefined, { status, changes }: EventOf<"tool.finished">): boolean {
  if (status !== "ok" || changes.length > 0) return false;
  return call?.acts.every(({ act }) => act.type === "read") ?? false;
}

function detail(call: CallView | undefined, event: EventOf<"tool.finished">, style: Style): readonly string[] {
  const { diffs = [], text = "" } = event.content ?? {};
  if (event.changes.length > 0) return diffs.flatMap((diff) => (diff === null ? [] : diffLines(diff, style)));
  if (isRead(call, event) && !style.isFull) return [];
  // A command's first line says how it ended.
  const [first, ...rest] = linesOf(text);
  if (first === undefined) return [];
  return quoted([first, ...gist(rest, style.maxOutputLines - 1, style.hint)], style);
}

/** What a command, a check or a failing call said. */
export function quoted(lines: readonly string[], { paint, columns, isFull }: Style): readonly string[] {
  const rows = isFull ? Number.POSITIVE_INFINITY : undefined;
  const pieces = lines.flatMap((line) => chopped(line, columns - inset.length - 2, rows));
  return pieces.map((piece) => inset + paint.dim(`│ ${piece}`.trimEnd()));
}

export function refusalLines(timeline: Timeline, event: EventOf<"act.refused">, { paint }: Style): readonly string[] {
  const { act, target, call } = event;
  const who = callOf(timeline, call)?.name ?? (call === null ? "the run" : call);
  const what = paint.bold(actText({ type: act, target }));
  return [`  ${marks(paint).bad} ${who} ${paint.red("refused")}  ${what} ${refusalReason(event)}`];
}

function refusalReason({ reason, rule, layer, content }: EventOf<"act.refused">): string {
  const detail = printable(content?.detail ?? "");
  switch (reason) {
    case "rule":
      return `is denied by ${ruleText(rule, layer)}`;
    case "default":
      return "is allowed by no rule";
    case "approver":
      return `was not approved${detail ? `: ${detail}` : ""}`;
    case "tool":
      return `cannot be allowed: ${detail}`;
    default:
      return reason satisfies never;
  }
}

export function requestLines(
  timeline: Timeline,
  event: EventOf<"approval.requested">,
  style: Style,
): readonly string[] {
  const { paint } = style;
  const asked = event.acts.filter(({ verdict }) => verdict.effect === "ask");
  const lines = asked.map(({ act, verdict }) => {
    const why = paint.dim(`(asked for by ${ruleText(verdict.rule, verdict.layer)})`);
    return `  ${marks(paint).wait} ${event.tool} asks to ${paint.bold(actText(act))} ${why}`;
  });
  const input = inputText(event.content?.input ?? callOf(timeline, event.call)?.input ?? null);
  const pieces = chopped(input, style.columns - inset.length);
  return [...lines, ...pieces.map((piece) => inset + paint.dim(piece))];
}

export function decisionLines(event: EventOf<"approval.decided">, { paint }: Style): readonly string[] {
  const { good, bad, wait } = marks(paint);
  const by = clip(event.by, 80);
  const reason = event.content?.reason ? `: ${printable(event.content.reason)}` : "";
  switch (event.decision) {
    case "approve": {
      const changed = event.content?.input ? ", with other arguments" : "";
      const remembered = event.remember.length > 0 ? ", and for the rest of the run" : "";
      return [`  ${good} approved by ${by}${changed}${remembered}`];
    }
    case "deny":
      return [`  ${bad} denied by ${by}${reason}${event.final ? "; that ends the run" : ""}`];
    case "defer":
      return [`  ${wait} not decided yet${reason}`];
    default:
      return event.decision satisfies never;
  }
}
