// How a contract is written: a goal, a workspace, and whatever differs from the defaults. All of it is data; `parseContract`
// fills in the rest and refuses what it does not know, so that a misspelt limit does not become no limit.
import { isAbsolute } from "node:path";
import type { CommandGate, Gate, Limits, TaskContract } from "@harness/spec";
import { ConfigError } from "@harness/spec";
import { z } from "zod";
import { images } from "./images.js";

const text = z.string().min(1);
const count = z.int().positive();
const argv = z
  .tuple([text], z.string())
  .readonly()
  .refine((words) => words.every((word) => !word.includes("\0")), "must not contain NUL");

const workspacePath = text.refine(
  (path) => !isAbsolute(path) && !path.split(/[\\/]/).includes("..") && !path.includes("\0"),
  "must be a path inside the workspace, relative to its root",
);

const caps = z.strictObject({
  maxOutputBytes: count.optional(),
  maxCpuMs: count.optional(),
  maxMemoryBytes: count.optional(),
  maxProcesses: count.optional(),
  maxOpenFiles: count.optional(),
  maxFileBytes: count.optional(),
  maxTempBytes: count.optional(),
});

/** A gate runs unattended what the model wrote, so it has caps unless others are given. */
const gateCaps = { maxCpuMs: 60_000, maxMemoryBytes: 2 * 1024 ** 3, maxOpenFiles: 512 };

const commandGate = z.strictObject({
  type: z.literal("command"),
  argv,
  expectExit: z.int().min(0).max(255).default(0),
  reveal: z.boolean().default(true),
  timeoutMs: count.default(120_000),
  caps: caps.default(gateCaps),
});

const gate = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  commandGate,
  z.strictObject({ type: z.literal("file-contains"), path: workspacePath, text }),
  z.strictObject({ type: z.literal("file-equals"), path: workspacePath, text: z.string() }),
]);

const limits = z.strictObject({
  maxSteps: count.default(12),
  maxDurationMs: count.optional(),
  maxTokens: count.optional(),
  maxCostMicros: z.int().min(0).optional(),
  maxRetries: z.int().min(0).max(100).default(2),
  retryBaseMs: z.int().min(0).default(500),
  retryMaxMs: z.int().min(0).default(30_000),
  completionTimeoutMs: count.default(600_000),
  toolTimeoutMs: count.default(600_000),
  execTimeoutMs: count.default(900_000),
  maxParallelReads: count.max(1_000).default(10),
  maxObservationChars: count.min(200).default(12_000),
  stallWindow: z.int().min(0).max(100).default(3),
  maxReplans: z.int().min(0).default(1),
});

// `null` says that there is none, so that one which was recognised can be taken away.
const toolchainCommand = argv.nullable().optional();

const toolchain = z.strictObject({
  ecosystem: text.optional(),
  install: toolchainCommand,
  build: toolchainCommand,
  test: toolchainCommand,
  lint: toolchainCommand,
  format: toolchainCommand,
  run: toolchainCommand,
  check: toolchainCommand,
});

const commandLine = text.refine((entry) => entry.trim().length > 0, "must name a command");
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");

const contract = z.strictObject({
  goal: z.string().refine((goal) => goal.trim().length > 0, "must say what is to be done"),
  workspace: text.refine(isAbsolute, "must be an absolute path"),
  verify: gate.default({ type: "none" }),
  constraints: z.array(text).readonly().default([]),
  limits: limits.default(limits.parse({})),
  mode: z.enum(["read-only", "workspace-write", "full-access"]).default("workspace-write"),
  caps: caps.default({}),
  toolchain: toolchain.optional(),
  replayable: z.array(commandLine).readonly().default([]),
  questions: z.boolean().default(false),
  plan: z.boolean().default(false),
  env: z.array(variable).readonly().default([]),
  model: text.optional(),
  maxOutputTokens: count.optional(),
  effort: z.enum(["low", "medium", "high"]).optional(),
  images: images.optional(),
});

/** A contract as it is written: everything but `goal` and `workspace` has a default. */
export type ContractInput = z.input<typeof contract>;
/** Limits as they are written. */
export type LimitsInput = z.input<typeof limits>;

/** A contract over the repository at `root` (absolute). Without `verify` the run ends when the model answers. */
export function workspace(root: string, rest: Omit<ContractInput, "workspace">): ContractInput {
  return { ...rest, workspace: root };
}

/** A gate that runs `argv` in the workspace root and wants exit code 0. Add options as an object: `command(["npm", "test"], { reveal: false })`. */
export function command(...argv: [string, ...string[]]): CommandGate;
export function command(
  argv: readonly [string, ...string[]],
  options: Partial<Omit<CommandGate, "type" | "argv">>,
): CommandGate;
export function command(
  first: string | readonly [string, ...string[]],
  ...rest: (string | Partial<Omit<CommandGate, "type" | "argv">>)[]
): CommandGate {
  const given = typeof first === "string" ? { argv: [first, ...rest] } : { argv: first, ...(rest[0] as object) };
  return read(commandGate, { type: "command", ...given }, "gate") as CommandGate;
}

/** Fills in every default. Throws `ConfigError` naming the place of what is wrong; nothing has been billed then. */
export function parseContract(input: ContractInput): TaskContract {
  return read(contract, input, "contract") as TaskContract & { verify: Gate };
}

/** The limits in force when a resume changes some of them. Throws `ConfigError` as `parseContract` does. */
export function changeLimits(current: Limits, changes: LimitsInput = {}): Limits {
  return read(limits, { ...current, ...changes }, "limits") as Limits;
}

/** JSON Schema (draft 2020-12) of a contract as it is written, for editors and for those who generate contracts. */
export function contractJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(contract, { io: "input" }) as Record<string, unknown>;
}

function read<Output>(schema: z.ZodType<Output>, input: unknown, what: string): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === "symbol" ? String(part) : part));
  const place = path.length > 0 ? `${what}.${path.join(".")}` : what;
  const more = result.error.issues.length > 1 ? ` (and ${result.error.issues.length - 1} more)` : "";
  throw new ConfigError(
    `The ${what} was not accepted: ${place}: ${issue?.message ?? "invalid"}${more}. Nothing was started.`,
    {
      path,
    },
  );
}
