// The tools of an ordinary repository, as a run wants them: a function of its contract, because which commands may be run
// again after a crash, and whether there is a checker, is the contract's to say.
import type { AnyTool, Argv, Clock, TaskContract, Toolchain } from "@harness/spec";
import { checkTool } from "./tools/check.js";
import { editFileTool } from "./tools/edit-file.js";
import { execTool } from "./tools/exec.js";
import { findTool } from "./tools/find.js";
import { grepTool } from "./tools/grep.js";
import { listDirTool } from "./tools/list-dir.js";
import { patchFileTool } from "./tools/patch-file.js";
import { readFileTool } from "./tools/read-file.js";
import { writeFileTool } from "./tools/write-file.js";

export interface WorkspaceToolsOptions {
  /** Most Unicode code points that one `read_file` shows. Default 100,000. */
  readonly maxReadChars?: number;
  /** Times `grep`. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * `read_file`, `list_dir`, `find`, `grep`, `write_file`, `edit_file`, `patch_file`, `exec`, and `check` if the contract's
 * toolchain has a checker, for the workspace of a contract. Every path stays under the workspace root, every command goes
 * through the run's sandbox.
 */
export function workspaceTools(
  options: WorkspaceToolsOptions = {},
): (contract: Pick<TaskContract, "replayable" | "toolchain">) => readonly AnyTool[] {
  return ({ replayable, toolchain = {} }) => [
    readFileTool(options),
    listDirTool(),
    findTool(),
    grepTool(options),
    writeFileTool(),
    editFileTool(),
    patchFileTool(),
    execTool({ replayable, replayableExactly: repeatable(toolchain) }),
    ...(toolchain.check ? [checkTool({ command: toolchain.check })] : []),
  ];
}

/** Commands that leave the same behind however often they run. Installing reaches out, and what `run` does nobody knows. */
function repeatable({ test, build, lint, format, check }: Toolchain): readonly Argv[] {
  return [test, build, lint, format, check].filter((argv) => argv != null);
}
