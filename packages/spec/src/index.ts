export type {
  Answer,
  ApprovalRequest,
  Approver,
  Decision,
  PlanGate,
  PlanStep,
  PlanVerdict,
  Question,
  RecoveryDecision,
  Responder,
} from "./approver.js";
export type { Bill, BillTotal } from "./bills.js";
export { billsOf, totalOf } from "./bills.js";
export type {
  Argv,
  Caps,
  CommandGate,
  Gate,
  Limits,
  TaskContract,
  Toolchain,
  ToolchainCommand,
} from "./contract.js";
export { sha256 } from "./digest.js";
export type { HarnessErrorOptions, KnownError, ProviderErrorFacts, SandboxFailure, StoreFailure } from "./errors.js";
export {
  ActRefusedError,
  ConfigError,
  HarnessError,
  isHarnessError,
  LeaseLostError,
  ProviderError,
  ResumeError,
  RunConflictError,
  SandboxError,
  StoreError,
  ToolError,
} from "./errors.js";
export type { EventOf, NewEvent, RunEvent, RunEventType } from "./events/run-event.js";
export type { Driver, OfferedTool, PauseFacts } from "./events/run-events.js";
export type { LinkFailure, RecordedCall } from "./events/step-events.js";
export type { CallStatus } from "./events/tool-events.js";
export type { CallId, Digest, MessageId, PlanId, QuestionId, RequestId, RunId } from "./ids.js";
export { callId, qualified, runId } from "./ids.js";
export type { Image } from "./images.js";
export { imageBytes, imageLimits, imageMediaTypes } from "./images.js";
export type { JsonObject, JsonSchema, JsonValue } from "./json.js";
export { canonicalJson, isJsonObject, mapStrings } from "./json.js";
export { onAbort } from "./on-abort.js";
export type { BudgetLimit, Ending, ErrorData, Pause, RunOutcome, Unpriced } from "./outcome.js";
export { isEnding } from "./outcome.js";
export type {
  Act,
  ActType,
  Defaults,
  Effect,
  ExecAct,
  FileAct,
  JudgedAct,
  Layer,
  NetAct,
  PolicyData,
  Rule,
  Verdict,
} from "./policy.js";
export type { Clock, Ids, LiveUpdate, Observer } from "./ports.js";
export { systemClock } from "./ports.js";
export type { Cost, ModelPrice, Price, PriceTable, PriceTier, Pricing, UnpricedReason } from "./pricing.js";
export { costOf, hasPrice, microsText, priceTable } from "./pricing.js";
export type {
  CallResult,
  Completion,
  CompletionRequest,
  Continuation,
  Delta,
  Effort,
  Endpoint,
  FailedLink,
  Message,
  ModelInfo,
  ProposedCall,
  Provider,
  ProviderFailure,
  StopReason,
  ToolCall,
  ToolSpec,
  Usage,
} from "./provider.js";
export type { Redactor } from "./redact.js";
export { findSecrets, redactor } from "./redact.js";
export type { RunWatcher, RunWatchers, RunWatchersOptions } from "./run-watchers.js";
export { runWatchers } from "./run-watchers.js";
export type {
  Backend,
  Cap,
  Captured,
  Containment,
  Enforcement,
  ExecMode,
  Sandbox,
  SandboxCommand,
  SandboxLimits,
  SandboxNeeds,
  SandboxOutcome,
  SandboxProcess,
  SandboxSource,
} from "./sandbox.js";
export { isSatisfiedBy, narrower } from "./sandbox.js";
export type { SealedEvent, StoredEvent, TraceHead } from "./seal.js";
export { chain, genesis, seal, typeOf, unseal } from "./seal.js";
export type {
  BlobStore,
  Lease,
  LeaseView,
  MemoryNote,
  MemoryStore,
  ReadOptions,
  RunHead,
  RunQuery,
  RunRecord,
  RunState,
  Store,
  StoreUpkeep,
} from "./store.js";
export type {
  AnyTool,
  FileChange,
  LookContext,
  Probe,
  Recovery,
  StandardResult,
  StandardSchema,
  Tool,
  ToolContext,
  ToolEffect,
  ToolResult,
} from "./tool.js";
export { defineTool, isStandardSchema } from "./tool.js";
export type { TraceCheck } from "./verify-trace.js";
export { verifyTrace } from "./verify-trace.js";
