export type { ContractInput, DriveOptions, ResumeOptions, RunHandle, RunResult, Seat, Waiting } from "@harness/core";
export {
  abort,
  approve,
  approveAll,
  attach,
  command,
  completed,
  deny,
  denyAll,
  memoryStore,
  modelApprover,
  retry,
  stdinApprover,
  stdinPlanGate,
  stdinResponder,
  workspace,
} from "@harness/core";
export { Policy, replayPolicy } from "@harness/policy";
export { floor } from "@harness/sandbox-floor";
export type {
  Approver,
  PriceTable,
  Provider,
  RunEvent,
  RunOutcome,
  Sandbox,
  SandboxSource,
  Store,
  Tool,
} from "@harness/spec";
export { defineTool, isEnding, isHarnessError, priceTable, verifyTrace } from "@harness/spec";
export { defaultStorePath, sqliteStore } from "@harness/store-sqlite";
export type { RewindOptions, RewoundFile, RewoundRun, RewoundStep, RunPatch, UndoOptions } from "@harness/workspace";
export { workspaceTools } from "@harness/workspace";
export type { NativeSandboxOptions } from "./native-sandbox.js";
export { nativeSandbox } from "./native-sandbox.js";
export { resume, run, start } from "./run.js";
export type { WithStore } from "./undo.js";
export { patch, rewind, rewindRun, rewindStep } from "./undo.js";
