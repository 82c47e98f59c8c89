// What the end of a driver cut short, and what the next one does about it. A driver that stopped by itself cut nothing.
import type { EventOf } from "@harness/spec";
import { actText, inputText } from "./acts.js";
import { callOf } from "./call-lines.js";
import { duration } from "./durations.js";
import { clip, printable } from "./printable.js";
import { inset, marks, type Style } from "./style.js";
import type { CallView, Timeline } from "./timeline.js";

/** Lines for a `run.resumed`; `timeline` is as the driver before left it. */
export function resumedLines(timeline: Timeline, event: EventOf<"run.resumed">, { paint }: Style): readonly string[] {
  const gap = duration(event.at - timeline.now);
  const { again } = marks(paint);
  if (timeline.outcome) return [`${again} ${paint.bold("resumed")} after a pause of ${gap}`];
  const title = `${again} ${paint.bold("resumed")} ${gap} after the process that drove the run died`;
  return [title, ...inFlight(timeline).map((line) => inset + line)];
}

function inFlight({ isAsking, isChecking, calls, step }: Timeline): readonly string[] {
  const found = [
    ...(isAsking ? [`interrupted: the completion of step ${step}; it is asked for again`] : []),
    ...calls.filter(({ phase }) => phase === "started").map(interruptedCall),
    ...(isChecking ? [`interrupted: the check of step ${step}; it is run again`] : []),
  ];
  return found.length > 0 ? found : ["interrupted: nothing; it goes on after the last event"];
}

function interruptedCall(call: CallView): string {
  const what = `interrupted: call ${call.id}, ${callText(call)}`;
  return call.recovery === "replayable"
    ? `${what}; it may be repeated, so it is made again`
    : `${what}; it may have taken effect, so that is found out first`;
}

function callText({ name, acts, input }: CallView): string {
  const what = acts.length > 0 ? acts.map(({ act }) => actText(act)).join(", ") : inputText(input);
  return `${name} (${what})`;
}

export function recoveryLines(
  timeline: Timeline,
  event: EventOf<"recovery.decided">,
  { paint }: Style,
): readonly string[] {
  const call = callOf(timeline, event.call);
  const who = event.by === "probe" ? "found by looking" : `said by ${clip(event.by, 80)}`;
  return [`  ${marks(paint).again} call ${event.call}, ${call?.name ?? "unknown"}: ${verdict(event)} (${who})`];
}

function verdict({ decision, content }: EventOf<"recovery.decided">): string {
  switch (decision) {
    case "completed": {
      const words = content?.observation ? `: ${printable(content.observation)}` : "";
      return `it had taken effect, so it is not repeated${words}`;
    }
    case "retry":
      return "it had not taken effect, so it is made again";
    case "abort":
      return "it is given up, and the run with it";
    default:
      return decision satisfies never;
  }
}

export function recoveryRequestLines(
  timeline: Timeline,
  event: EventOf<"recovery.requested">,
  { paint }: Style,
): readonly string[] {
  const call = callOf(timeline, event.call);
  const what = call ? callText({ ...call, acts: event.acts }) : event.call;
  return [`  ${marks(paint).wait} nobody knows whether call ${event.call}, ${what}, took effect`];
}
