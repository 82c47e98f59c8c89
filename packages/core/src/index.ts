export { changeLimits, command, contractJsonSchema, parseContract, workspace } from "./contract/contract-input.js";
export { abort, approve, completed, deny, retry } from "./run/answers.js";
export { resume } from "./run/resume.js";
export { run, start } from "./run/start.js";
export { memoryStore } from "./store/memory-store.js";
export { readLog } from "./store/read-log.js";

export type { ContractInput, LimitsInput } from "./contract/contract-input.js";
export type { Spend } from "./outcome/spend.js";
export type { DriveOptions, ResumeOptions, ToolSource } from "./run/options.js";
export type { RunResult } from "./run/result.js";
export type { RunHandle } from "./run/start.js";
