// The tools of an ordinary repository, as a run wants them: a function of its contract, because which commands may be run
// again after a crash is the contract's to say.
import type { AnyTool, Clock, TaskContract } from "@harness/spec";
import { editFileTool } from "./tools/edit-file.js";
import { execTool } from "./tools/exec.js";
import { findTool } from "./tools/find.js";
import { grepTool } from "./tools/grep.js";
import { listDirTool } from "./tools/list-dir.js";
import { readFileTool } from "./tools/read-file.js";
import { writeFileTool } from "./tools/write-file.js";

export interface WorkspaceToolsOptions {
  /** Most Unicode code points that one `read_file` shows. Default 100,000. */
  readonly maxReadChars?: number;
  /** Times `grep`. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * `read_file`, `list_dir`, `find`, `grep`, `write_file`, `edit_file` and `exec` for the workspace of a contract. Every path
 * stays under the workspace root, every command goes through the run's sandbox.
 */
export function workspaceTools(
  options: WorkspaceToolsOptions = {},
): (contract: Pick<TaskContract, "replayable">) => readonly AnyTool[] {
  return ({ replayable }) => [
    readFileTool(options),
    listDirTool(),
    findTool(),
    grepTool(options),
    writeFileTool(),
    editFileTool(),
    execTool({ replayable }),
  ];
}
