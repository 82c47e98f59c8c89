// The work that every loop is given: a model that always asks for one more file and does not look at what it was told, and a
// tool that has the file at hand. What is left of a step's time is the loop's own.

import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ContractInput, type DriveOptions, type RunResult, resume, run, workspace } from "@harness/core";
import { type Completion, defineTool, type Provider, type Store, type Tool } from "@harness/spec";
import { z } from "zod";

export const modelName = "scripted-1";

export interface Pace {
  /** How long the model takes to answer, in ms. Default: no time at all. */
  readonly modelMs?: number;
  /** The same of the tool. */
  readonly toolMs?: number;
}

export interface ScriptedModel extends Provider {
  /** When it was asked first, as `performance.now()` told it then; `NaN` until it is. */
  firstAskedAtMs(): number;
}

/** A model whose reply *n* asks to read file *n*: no two steps are alike, so none is taken for a run in circles. */
export function scriptedModel({ modelMs = 0 }: Pace = {}): ScriptedModel {
  let replies = 0;
  let firstAskedAtMs = Number.NaN;
  const complete = async (): Promise<Completion> => {
    if (replies === 0) firstAskedAtMs = performance.now();
    if (modelMs > 0) await sleep(modelMs);
    replies += 1;
    return {
      text: `Next I read file ${replies}.`,
      calls: [{ name: "read_file", arguments: { path: `src/file-${replies}.ts` } }],
      reasoning: null,
      usage,
      model: modelName,
      stop: "tool-calls",
      finishReason: "tool_calls",
      ttftMs: null,
    };
  };
  const firstAsked = () => firstAskedAtMs;
  return { spec: 1, name: "scripted", endpoints: [], model: modelName, complete, firstAskedAtMs: firstAsked };
}

const usage = {
  promptTokens: 1_200,
  completionTokens: 40,
  totalTokens: 1_240,
  cacheReadTokens: 1_000,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

const file = Array.from({ length: 8 }, (_, line) => `${line + 1}\texport const value${line} = ${line};`).join("\n");

const input = z.object({ path: z.string() });

/** One replayable read. */
export function readTool({ toolMs = 0 }: Pace = {}): Tool<{ path: string }> {
  return defineTool({
    name: "read_file",
    description: "Reads a file.",
    input,
    effect: "read",
    acts: async ({ path }) => [{ type: "read", target: path }],
    invoke: async () => {
      if (toolMs > 0) await sleep(toolMs);
      return { text: file };
    },
  });
}

/** Where every run works. Looked up once: what that costs is not a run's. */
export const workFolder = tmpdir();

/** A run of exactly `steps` steps; the budget ends it. */
function contractOf(steps: number): ContractInput {
  return workspace(workFolder, { goal: "Read every file.", limits: { maxSteps: steps } });
}

export interface Work extends Pace {
  /** Default: one in memory, for this run alone. */
  readonly store?: Store;
  /** Default: a new one. */
  readonly model?: ScriptedModel;
  /** Default: core's. */
  readonly leaseTtlMs?: number;
}

/** What every run of ours is driven with. One secret, because most programs have one and every event is searched for it. */
function driveOptions({ store, model, leaseTtlMs, ...pace }: Work): DriveOptions {
  return {
    provider: model ?? scriptedModel(pace),
    tools: [readTool(pace)],
    environment: { EXAMPLE_API_KEY: "not-a-real-key" },
    ...(store ? { store } : {}),
    ...(leaseTtlMs === undefined ? {} : { leaseTtlMs }),
  };
}

/** Runs `steps` steps. Rejects when the run stops for any other reason. */
export async function runSteps(steps: number, work: Work = {}): Promise<RunResult> {
  return checked(await run(contractOf(steps), driveOptions(work)), steps);
}

/** Resumes a run that `runSteps` left: it has no step left, so it is opened and paused again. */
export async function resumeSteps(id: string, steps: number, store: Store): Promise<RunResult> {
  return checked(await resume(id, driveOptions({ store })), steps);
}

function checked(result: RunResult, steps: number): RunResult {
  const { outcome } = result;
  if (outcome.type === "budget" && outcome.limit === "steps" && outcome.steps === steps) return result;
  throw new Error(`A run of ${steps} steps ended otherwise than by its budget: ${JSON.stringify(outcome)}.`);
}
