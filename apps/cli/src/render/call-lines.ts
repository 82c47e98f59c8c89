// Lines about calls: how each ended and what it was allowed by, what was refused and by whom, what was asked.
import type { CallId, EventOf } from "@harness/spec";
import { actsText, actText, inputText, ruleText } from "./acts.js";
import { diffLines } from "./diff-lines.js";
import { gist, linesOf, printable } from "./printable.js";
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
  const { good, bad } = marks(style.paint);
  const isGood = event.status === "ok";
  const status = isGood ? "" : ` ${style.paint.red(event.status)}`;
  const what = call && call.acts.length > 0 ? actsText(call.acts, call.name) : inputText(call?.input ?? null);
  const counts = event.changes.map(({ added, removed }) => `  +${added} −${removed}`).join("");
  const title = `  ${isGood ? good : bad} ${call?.name ?? event.call}${status}  ${style.paint.dim(what)}${counts}`;
  return [title.trimEnd(), ...detail(call, event, style)];
}

function detail(call: CallView | undefined, event: EventOf<"tool.finished">, style: Style): readonly string[] {
  const { diffs = [], text = "" } = event.content ?? {};
  if (event.changes.length > 0) return diffs.flatMap((diff) => (diff === null ? [] : diffLines(diff, style)));
  const isOnlyRead = event.status === "ok" && (call?.acts.every(({ act }) => act.type === "read") ?? false);
  if (isOnlyRead) return [];
  // A command's first line says how it ended.
  const [first, ...rest] = linesOf(text);
  return first === undefined ? [] : quoted([first, ...gist(rest, style.maxOutputLines - 1)], style);
}

/** What a command, a check or a failing call said. */
export function quoted(lines: readonly string[], { paint }: Style): readonly string[] {
  return lines.map((line) => inset + paint.dim(`│ ${line}`));
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
  return [...lines, inset + paint.dim(input)];
}

export function decisionLines(event: EventOf<"approval.decided">, { paint }: Style): readonly string[] {
  const { good, bad, wait } = marks(paint);
  const reason = event.content?.reason ? `: ${printable(event.content.reason)}` : "";
  switch (event.decision) {
    case "approve": {
      const changed = event.content?.input ? ", with other arguments" : "";
      const remembered = event.remember.length > 0 ? ", and for the rest of the run" : "";
      return [`  ${good} approved by ${event.by}${changed}${remembered}`];
    }
    case "deny":
      return [`  ${bad} denied by ${event.by}${reason}${event.final ? "; that ends the run" : ""}`];
    case "defer":
      return [`  ${wait} not decided yet${reason}`];
    default:
      return event.decision satisfies never;
  }
}
