// Which class each call of a completion has. It is written on the call, so that a resume with other tools treats it as it was.
import type { ProposedCall, RecordedCall } from "@harness/spec";
import { type ParsedInput, parseInput } from "../tools/parse-input.js";
import { recoveryOf, type ToolTable } from "../tools/tool-table.js";

/** A promise only where a tool's own schema makes one: most do not, and a turn of the queue is dear. */
export function classifyCalls(
  tools: ToolTable,
  calls: readonly ProposedCall[],
): readonly RecordedCall[] | Promise<readonly RecordedCall[]> {
  const classified = calls.map((call) => classify(tools, call));
  return classified.some(isPending) ? Promise.all(classified) : (classified as RecordedCall[]);
}

function isPending(call: RecordedCall | Promise<RecordedCall>): boolean {
  return call instanceof Promise;
}

function classify(tools: ToolTable, call: ProposedCall): RecordedCall | Promise<RecordedCall> {
  const parsed = parseInput(tools, call);
  return parsed instanceof Promise
    ? parsed.then((checked) => classOf(tools, call, checked))
    : classOf(tools, call, parsed);
}

function classOf(tools: ToolTable, call: ProposedCall, parsed: ParsedInput): RecordedCall {
  const vendor = call.vendorId === undefined ? {} : { vendorId: call.vendorId };
  if (parsed.type === "parsed") {
    const { tool, input } = parsed;
    return { name: tool.name, effect: tool.effect, recovery: recoveryOf(tool, input), ...vendor };
  }
  // A call that cannot be made does nothing, whatever it names.
  const name = tools.get(call.name) ? call.name : unknownName(tools, call.name);
  return { name, effect: "read", recovery: "replayable", ...vendor };
}

/** A name that any vendor accepts back, and that is no tool's. What a model makes up may be anything. */
function unknownName(tools: ToolTable, name: unknown): string {
  const clean =
    String(name ?? "")
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .slice(0, 60) || "unnamed";
  let unknown = clean;
  for (let nth = 1; tools.get(unknown); nth += 1) unknown = `${clean}_${nth}`;
  return unknown;
}
