// What bubblewrap says of itself: JSON documents, one a line. The first names the first process of the command's namespace; one
// with an exit code comes only when the command was executed, whatever else was printed.
import type { WrapperStatus } from "@harness/sandbox-floor";

export function bubblewrapStatus(said: string): WrapperStatus {
  // A last line without its end has not come whole.
  const documents = said.split("\n").slice(0, -1).map(parsed);
  const init = documents.map((document) => document["child-pid"]).find(isPid);
  const hasRun = documents.some((document) => typeof document["exit-code"] === "number");
  return init === undefined ? { hasRun } : { hasRun, init };
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** 1 would be the whole machine. */
function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 1;
}
