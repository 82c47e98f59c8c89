export type { ContractInput, DriveOptions, ResumeOptions, RunHandle, RunResult } from "@harness/core";
export { abort, approve, command, completed, deny, memoryStore, retry, workspace } from "@harness/core";
export { Policy } from "@harness/policy";
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
export { workspaceTools } from "@harness/workspace";
export type { NativeSandboxOptions } from "./native-sandbox.js";
export { nativeSandbox } from "./native-sandbox.js";
export { resume, run, start } from "./run.js";
