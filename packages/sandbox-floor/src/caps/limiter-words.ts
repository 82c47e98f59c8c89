// Tells a command that failed from one that never ran because what sets its limits could not start it. That program is
// called by a name which nobody can guess, and puts it in front of its complaints; no command can print it.
import { accessSync, constants } from "node:fs";
import type { SandboxError } from "@harness/spec";
import type { Exit } from "../child.js";
import { notStarted, spawnFailure } from "../failures.js";

export interface LimiterWords {
  /** To be given the command's standard error as it comes. */
  push(bytes: Uint8Array): void;
  /** Why the command never ran; `undefined` when it did. */
  failure(exit: Exit): SandboxError | undefined;
}

export interface LimitedCommand {
  readonly argv: readonly string[];
  /** Its program, as it was found. */
  readonly program: string;
  readonly limiterName: string;
}

/** A complaint is a line, and comes before anything else. */
const longestComplaint = 1_024;

export function limiterWords({ argv, program, limiterName }: LimitedCommand): LimiterWords {
  let start = "";

  return {
    push(bytes) {
      const room = longestComplaint - start.length;
      if (room > 0) start += Buffer.from(bytes.subarray(0, room)).toString("latin1");
    },
    failure({ code }) {
      if (code === null || code === 0 || !start.startsWith(`${limiterName}:`)) return undefined;
      const complaint = Buffer.from(start.slice(limiterName.length + 1), "latin1")
        .toString("utf8")
        .split("\n")[0]
        ?.trim();
      const cause = new Error(complaint);
      if (code === 127) return spawnFailure(argv, Object.assign(cause, { code: "ENOENT" }), false);
      if (code === 126) return spawnFailure(argv, Object.assign(cause, { code: refusal(program) }), false);
      const advice = "Check the limits of the user and of this process.";
      return notStarted("setup-failed", argv, `its caps could not be put in place (${complaint})`, advice, cause);
    },
  };
}

function refusal(program: string): string {
  try {
    accessSync(program, constants.X_OK);
    return "ENOEXEC";
  } catch {
    return "EACCES";
  }
}
