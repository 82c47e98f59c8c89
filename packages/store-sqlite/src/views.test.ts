// Every view, asked about a run in which everything happened that it shows.
import { callId, type Digest, type JudgedAct, type NewEvent, type Usage } from "@harness/spec";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { collect, drive, run, sealed } from "./store.test-support.js";

const digest = "0".repeat(64) as Digest;
const usage: Usage = {
  promptTokens: 100,
  completionTokens: 20,
  totalTokens: 120,
  cacheReadTokens: 60,
  cacheWriteTokens: 10,
  reasoningTokens: 5,
};
const acts: readonly JudgedAct[] = [{ act: { type: "write", target: "src/a.ts" }, verdict: { effect: "allow" } }];
const driver = {
  provider: "scripted",
  policy: { layers: [], defaults: { read: "allow", write: "allow", exec: "ask", net: "deny" } },
  limits: {
    maxSteps: 12,
    maxRetries: 2,
    retryBaseMs: 500,
    retryMaxMs: 30_000,
    completionTimeoutMs: 1,
    toolTimeoutMs: 1,
    execTimeoutMs: 1,
    maxParallelReads: 10,
    maxObservationChars: 1,
    stallWindow: 3,
    maxReplans: 1,
  },
  tools: [],
  backend: null,
  enforces: null,
  labels: {},
} as const;

const log: readonly NewEvent[] = [
  {
    type: "run.started",
    step: 0,
    ...driver,
    run,
    root: run,
    parent: null,
    workspace: "/srv/project",
    digests: { contract: digest, system: digest, tools: digest },
    content: {
      contract: {
        goal: "Fix the “parser” 👍",
        verify: { type: "none" },
        constraints: [],
        mode: "workspace-write",
        caps: {},
        replayable: [],
        env: [],
      },
      system: "",
    },
  },
  { type: "step.started", step: 1 },
  { type: "completion.started", step: 1, attempt: 1, model: "m-1", messages: 1, digest, reserved: 0 },
  {
    type: "completion.failed",
    step: 1,
    attempt: 1,
    kind: "rate-limited",
    isRetryable: true,
    status: 429,
    vendorCode: null,
    retryInMs: 1_000,
    usage: null,
    content: { message: "slow down" },
  },
  {
    type: "completion.finished",
    step: 1,
    attempt: 2,
    model: "m-1",
    servedBy: "eu",
    stop: "tool-calls",
    finishReason: "tool_use",
    usage,
    ttftMs: 12,
    requestId: "req_1",
    calls: [
      { name: "edit_file", effect: "write", recovery: "replayable" },
      { name: "read_file", effect: "read", recovery: "replayable" },
    ],
    content: {
      text: null,
      reasoning: null,
      calls: [{ arguments: { path: "src/a.ts" } }, { arguments: { path: ".env" } }],
    },
  },
  { type: "tool.started", step: 1, call: callId(1, 1), acts },
  {
    type: "tool.finished",
    step: 1,
    call: callId(1, 1),
    status: "ok",
    changed: true,
    changes: [],
    content: { text: "Edited.", diffs: [] },
  },
  {
    type: "act.refused",
    step: 1,
    call: callId(1, 2),
    act: "read",
    target: ".env",
    rule: "*.env",
    layer: "app",
    reason: "rule",
    content: { detail: "denied" },
  },
  {
    type: "tool.finished",
    step: 1,
    call: callId(1, 2),
    status: "refused",
    changed: false,
    changes: [],
    content: { text: "Refused.", diffs: [] },
  },
  { type: "step.finished", step: 1, changed: true, ends: null },
  { type: "step.started", step: 2 },
  {
    type: "completion.finished",
    step: 2,
    attempt: 1,
    model: "m-1",
    servedBy: null,
    stop: "end",
    finishReason: null,
    usage: null,
    ttftMs: null,
    requestId: null,
    calls: [],
    content: { text: "Done.", reasoning: null, calls: [] },
  },
  { type: "step.finished", step: 2, changed: false, ends: { type: "success" } },
  { type: "run.finished", step: 2, ending: { type: "success" }, steps: 2 },
];

describe("the views of a SQLite store", () => {
  const database = new Database(":memory:");
  const rows = (sql: string) => database.prepare(sql).all();

  beforeAll(async () => {
    const store = sqliteStore({ database });
    await store.append(await drive(store), run, sealed(log));
    expect(await collect(store.read(run))).toHaveLength(log.length);
    return () => database.close();
  });

  it("runs", () => {
    expect(rows("select * from runs")).toEqual([
      {
        run,
        root: run,
        parent: null,
        created_at: "2025-06-15T15:06:40.000Z",
        state: "ended",
        outcome: "success",
        steps: 2,
        events: 14,
        last_event_at: "2025-06-15T15:06:40.013Z",
        goal: "Fix the “parser” 👍",
        workspace: "/srv/project",
        provider: "scripted",
        driver: "elsewhere:1:a",
      },
    ]);
  });

  it("steps", () => {
    expect(rows("select * from steps order by run, step")).toEqual([
      {
        run,
        step: 1,
        started_at: "2025-06-15T15:06:40.001Z",
        finished_at: "2025-06-15T15:06:40.009Z",
        duration_ms: 8,
        changed: 1,
        ends: null,
        calls: 2,
        refusals: 1,
        tokens: 120,
      },
      expect.objectContaining({ run, step: 2, changed: 0, ends: "success", calls: 0, refusals: 0, tokens: null }),
    ]);
  });

  it("provider_calls", () => {
    expect(rows("select * from provider_calls order by at")).toEqual([
      expect.objectContaining({
        run,
        step: 1,
        attempt: 1,
        result: "failed",
        failure: "rate-limited",
        status: 429,
        message: "slow down",
        retry_in_ms: 1_000,
        total_tokens: null,
      }),
      expect.objectContaining({
        run,
        step: 1,
        attempt: 2,
        result: "finished",
        model: "m-1",
        served_by: "eu",
        stop: "tool-calls",
        finish_reason: "tool_use",
        failure: null,
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        cache_read_tokens: 60,
        cache_write_tokens: 10,
        reasoning_tokens: 5,
        ttft_ms: 12,
        request_id: "req_1",
      }),
      expect.objectContaining({ run, step: 2, attempt: 1, result: "finished", total_tokens: null }),
    ]);
  });

  it("tool_calls", () => {
    expect(rows("select * from tool_calls order by step, call")).toEqual([
      {
        run,
        step: 1,
        call: "1.1",
        tool: "edit_file",
        effect: "write",
        recovery: "replayable",
        arguments: '{"path":"src/a.ts"}',
        status: "ok",
        changed: 1,
        started_at: "2025-06-15T15:06:40.005Z",
        finished_at: "2025-06-15T15:06:40.006Z",
        duration_ms: 1,
        result: "Edited.",
      },
      expect.objectContaining({
        run,
        call: "1.2",
        tool: "read_file",
        status: "refused",
        started_at: null,
        duration_ms: null,
        result: "Refused.",
      }),
    ]);
  });

  it("refusals", () => {
    expect(rows("select * from refusals")).toEqual([
      {
        run,
        step: 1,
        call: "1.2",
        at: "2025-06-15T15:06:40.007Z",
        act: "read",
        target: ".env",
        rule: "*.env",
        layer: "app",
        reason: "rule",
        detail: "denied",
      },
    ]);
  });

  it("spend", () => {
    expect(rows("select * from spend")).toEqual([
      {
        run,
        root: run,
        model: "m-1",
        calls: 2,
        unreported: 1,
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        cache_read_tokens: 60,
        cache_write_tokens: 10,
        reasoning_tokens: 5,
      },
    ]);
  });

  it("say what they can when retention emptied the content, and of a run without events", () => {
    database.exec("update events set content = null");
    database.exec("insert into streams (id, root, created_at) values ('bare', 'bare', 0)");

    expect(rows("select run, state, goal, steps, events from runs order by run")).toEqual([
      { run: "bare", state: "running", goal: null, steps: 0, events: 0 },
      { run, state: "ended", goal: null, steps: 2, events: 14 },
    ]);
    expect(rows("select tool, arguments, result, status from tool_calls order by call")).toEqual([
      { tool: "edit_file", arguments: null, result: null, status: "ok" },
      { tool: "read_file", arguments: null, result: null, status: "refused" },
    ]);
    for (const view of ["steps", "provider_calls", "refusals", "spend"])
      expect(rows(`select * from ${view}`)).not.toEqual([]);
  });
});
