// What went wrong in a worker, as errors that a model can act on.
import { ToolError } from "@harness/spec";
import { fileProblem } from "../paths/file-problem.js";
import { exchanged } from "../paths/found-file.js";
import type { Place } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";
import type { Failure } from "./messages.js";

export function attemptAt({ target }: Place): string {
  return `Could not search ${JSON.stringify(target)}`;
}

/** The error for a search that its worker gave up. */
export function failureProblem(start: Place, failure: Failure): unknown {
  switch (failure.type) {
    case "exchanged":
      return exchanged("read", start);
    case "system":
      return fileProblem(attemptAt(start), Object.assign(new Error(failure.code), { code: failure.code, syscall: "" }));
    case "too-complex": {
      const file = JSON.stringify(failure.path);
      const advice = "Simplify it, or narrow the glob or the path";
      return new ToolError(`${attemptAt(start)}: a line of ${file} is too long for this pattern. ${advice}.`);
    }
    default:
      return failure satisfies never;
  }
}

/** The error for a worker that could not be started, or ended by itself. */
export function workerProblem(start: Place, problem: unknown): ToolError {
  const code = codeOf(problem);
  const isMissing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
  const clause = isMissing
    ? "the file search-worker.js of @harness/workspace, or a package that it imports, is not there. If this program was " +
      "bundled, keep @harness/workspace out of the bundle"
    : `the thread that searches ended early${code === "" ? "" : ` (${code})`}. Try again, with a narrower glob or path`;
  return new ToolError(`${attemptAt(start)}: ${clause}.`, { cause: problem });
}
