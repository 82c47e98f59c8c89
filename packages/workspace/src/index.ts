export { detectToolchain } from "./toolchain/detect-toolchain.js";
export type { CheckInput, CheckOptions } from "./tools/check.js";
export { checkTool } from "./tools/check.js";
export type { EditFileInput } from "./tools/edit-file.js";
export { editFileTool } from "./tools/edit-file.js";
export type { ExecInput, ExecOptions } from "./tools/exec.js";
export { execTool } from "./tools/exec.js";
export type { FindInput } from "./tools/find.js";
export { findTool } from "./tools/find.js";
export type { GrepInput, GrepOptions } from "./tools/grep.js";
export { grepTool } from "./tools/grep.js";
export type { ListDirInput } from "./tools/list-dir.js";
export { listDirTool } from "./tools/list-dir.js";
export type { PatchFileInput } from "./tools/patch-file.js";
export { patchFileTool } from "./tools/patch-file.js";
export type { ReadFileInput, ReadFileOptions } from "./tools/read-file.js";
export { readFileTool } from "./tools/read-file.js";
export type { WriteFileInput } from "./tools/write-file.js";
export { writeFileTool } from "./tools/write-file.js";
export { patch } from "./undo/patch.js";
export type {
  NotKept,
  PatchNote,
  PatchPiece,
  RewindOptions,
  RewoundFile,
  RewoundRun,
  RewoundStep,
  RunPatch,
  UndoFailure,
  UndoOptions,
  UndoRefusal,
} from "./undo/results.js";
export { rewind, rewindRun } from "./undo/rewind.js";
export { rewindStep } from "./undo/rewind-step.js";
export type { WorkspaceToolsOptions } from "./workspace-tools.js";
export { workspaceTools } from "./workspace-tools.js";
