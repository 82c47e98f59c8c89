// harness trace <id>
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { spendText } from "../render/closing.js";
import { eventLines } from "../render/event-lines.js";
import { paintFor } from "../render/paint.js";
import { emptyTimeline, follow } from "../render/timeline.js";
import { findRun, readTrace } from "../run-log.js";
import { storePlace, withExistingStore } from "../stores.js";
import { columnsOf } from "../watch-run.js";

export interface TraceFlags {
  readonly store?: string;
  readonly json?: boolean;
}

export async function traceCommand(terminal: Terminal, id: string, flags: TraceFlags): Promise<number> {
  const { path, place } = storePlace(terminal, flags.store);
  return withExistingStore(path, async (store) => {
    const { id: run } = await findRun(store, id, place);
    const events = readTrace(store, run);
    if (flags.json) for await (const event of events) terminal.out.write(`${JSON.stringify(event)}\n`);
    else await writeTimeline(terminal, events);
    return exitCodes.done;
  });
}

async function writeTimeline({ out, env }: Terminal, events: ReturnType<typeof readTrace>): Promise<void> {
  const style = {
    paint: paintFor(out, env),
    columns: columnsOf(out),
    maxDiffLines: Number.POSITIVE_INFINITY,
    maxOutputLines: 20,
  };
  let timeline = emptyTimeline;
  for await (const event of events) {
    const lines = eventLines(timeline, event, style);
    timeline = follow(timeline, event);
    out.write(lines.map((line) => `${line}\n`).join(""));
  }
  if (!timeline.isAtRest)
    out.write(`\n${style.paint.yellow("The log goes no further: the run is under way or was cut short.")}\n`);
  out.write(`${style.paint.dim(spendText(timeline.totals))}\n`);
}
