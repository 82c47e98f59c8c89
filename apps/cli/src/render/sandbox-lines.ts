// Lines about commands beside the calls and checks that ran them: what stopped one, whom one tried to reach, and, where nothing
// is left out, how each was run.
import type { CallId, EventOf, RunEvent } from "@harness/spec";
import { callOf } from "./call-lines.js";
import { clip } from "./printable.js";
import { inset, marks, type Style } from "./style.js";
import type { Timeline } from "./timeline.js";

export function sandboxLines(timeline: Timeline, event: RunEvent, style: Style): readonly string[] {
  const { note, bad } = marks(style.paint);
  switch (event.type) {
    case "sandbox.cap-hit":
      return [
        `  ${note} ${ownerText(timeline, event.owner)} was stopped at its cap on ${capNames[event.cap] ?? event.cap}`,
      ];
    case "sandbox.dialed":
      if (event.allowed) return style.isFull ? [aside(`reached ${clip(event.target, 120)}`, style)] : [];
      return [`  ${bad} ${ownerText(timeline, event.owner)} was kept from reaching ${clip(event.target, 120)}`];
    case "sandbox.started":
      return style.isFull ? [aside(startText(event), style)] : [];
    case "sandbox.finished":
      return [...undoneLines(event, style), ...(style.isFull ? endLines(event, style) : [])];
    default:
      return [];
  }
}

function aside(text: string, { paint }: Style): string {
  return inset + paint.dim(`· ${text}`);
}

/** Who ran the command. */
function ownerText(timeline: Timeline, owner: CallId | "gate"): string {
  if (owner === "gate") return "the check";
  return `${callOf(timeline, owner)?.name ?? "a command"} (call ${owner})`;
}

function startText({ argv, backend, mode, egress, enforces }: EventOf<"sandbox.started">): string {
  const isClosed = enforces.egress !== "none" && enforces.egress !== "advisory";
  const network = egress === "allow" ? "open" : isClosed ? "closed" : "denied, though nothing closes it";
  return `${clip(argv.join(" "), 160)} runs in ${backend}: ${mode}, network ${network}`;
}

/** What a command made that it may not: it is gone again, and whoever reads this wants to know that it was tried. */
function undoneLines({ undone = [] }: EventOf<"sandbox.finished">, { paint }: Style): readonly string[] {
  return undone.map(
    (path) => `  ${marks(paint).note} ${clip(path, 200)} is protected; what a command made there was undone`,
  );
}

function endLines(event: EventOf<"sandbox.finished">, style: Style): readonly string[] {
  return [endText(event), ...(event.warnings ?? []).map((warning) => clip(warning, 300))].map((text) =>
    aside(text, style),
  );
}

function endText({ exitCode, signal, stopped }: EventOf<"sandbox.finished">): string {
  const how = exitCode === null ? `ended by ${signal ?? "an unknown signal"}` : `exited ${exitCode}`;
  return stopped === null ? how : `${how}, ${stopped === "timeout" ? "out of time" : "cancelled"}`;
}

const capNames: Readonly<Partial<Record<EventOf<"sandbox.cap-hit">["cap"], string>>> = {
  wall: "time",
  cpu: "CPU time",
  "open-files": "open files",
  "file-size": "file size",
  temp: "temporary files",
};
