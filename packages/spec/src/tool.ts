// The port to what an agent can do. A tool says beforehand what it would do (`acts`), and only does what was granted.
import type { CallId, Digest, RunId } from "./ids.js";
import type { JsonSchema } from "./json.js";
import type { Act, JudgedAct } from "./policy.js";
import type { Sandbox } from "./sandbox.js";

/** The part of the Standard Schema (https://standardschema.dev, version 1) that we call. Zod's schemas have it. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    /** Standard JSON Schema: what the model is shown. Without it the tool must give `parameters`. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** `read` changes nothing: reads may run side by side, and before their completion is durable. */
export type ToolEffect = "read" | "write";
/** `replayable`: may simply be made again after a crash. `indeterminate`: someone must say whether it happened. */
export type Recovery = "replayable" | "indeterminate";

/** What a look at the world says of an interrupted call. `result` is what the call would have answered. */
export type Probe =
  | { readonly type: "done"; readonly result: ToolResult }
  | { readonly type: "not-done" }
  | { readonly type: "unknown" };

export interface FileChange {
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  /** Lines, common head and tail left out. */
  readonly added: number;
  readonly removed: number;
  readonly before: Digest | null;
  readonly after: Digest | null;
}

export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  /** The call did not do what was asked; the model should see it as a failure. */
  readonly isError?: boolean;
  readonly changes?: readonly (FileChange & { /** Unified, if it was worth making. */ readonly diff?: string })[];
  /** The world is not as it was, though no file of the workspace shows it. Default: whether there are changes. */
  readonly changed?: boolean;
}

/** What a tool may use before it is allowed to do anything. It may look, and nothing else. */
export interface LookContext {
  readonly runId: RunId;
  readonly call: CallId;
  /** Absolute, resolved. */
  readonly workspace: string;
  readonly signal: AbortSignal;
  /** True for a path that may be read outright. Walkers leave the rest out, and say how many they left out. */
  visible(path: string, options?: { readonly foldsCase?: boolean }): boolean;
  /** What the boundary granted this call, in `invoke` and `probe`; empty in `acts`. */
  readonly granted: readonly JudgedAct[];
  /** What was at `path` before the run first changed it: its bytes, `null` for no file, `undefined` if it was not kept. */
  kept(path: string): Promise<Uint8Array | null | undefined>;
}

export interface ToolContext extends LookContext {
  /** `<run>/<step>.<index>`: the same for every attempt at this call, different for every other. An idempotency key. */
  readonly id: string;
  /** Held by core: what runs through it is in the trace. */
  readonly sandbox: Sandbox;
  /** Deadline of one command in ms, by the contract. */
  readonly execTimeoutMs: number;
  /** Environment variables that the contract lets commands have. */
  readonly env: readonly string[];
  /** To be awaited before the first change of `path`: keeps `bytes`, or that there was no file, so that it can be undone. */
  keep(path: string, bytes: Uint8Array | null): Promise<void>;
  /** Shown to whoever watches; not recorded. */
  progress(text: string): void;
}

export interface Tool<Input = unknown> {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly description: string;
  readonly input: StandardSchema<Input> | JsonSchema;
  /** Overrides what `input` says of itself to the model. */
  readonly parameters?: JsonSchema;
  readonly effect: ToolEffect;
  /** Default: reads are replayable, writes indeterminate. A function decides by the arguments alone. */
  readonly recovery?: Recovery | ((input: Input) => Recovery);
  /**
   * Every act that this call needs, known before anything happens; it only looks. Default: `exec` on the tool's name.
   * Throws `ActRefusedError` for what no rule could allow and `ToolError` for what cannot be done.
   */
  acts?(input: Input, context: LookContext): Promise<readonly Act[]>;
  /** Does it. Throws `ToolError` for what the model can act on; anything else thrown is shown to the model as a failure of the tool. */
  invoke(input: Input, context: ToolContext): Promise<ToolResult>;
  /** Did an interrupted call take effect? Asked on resume, before any person is. */
  probe?(input: Input, context: LookContext): Promise<Probe>;
}

/** Helps inference: `defineTool({ input: z.object(…), invoke: async ({ path }) => … })`. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

/** A list of tools may mix their inputs. */
// biome-ignore lint/suspicious/noExplicitAny: a tool is called only with what its own schema returned.
export type AnyTool = Tool<any>;

/** True for a Standard Schema, false for a plain JSON Schema. */
// biome-ignore lint/suspicious/noExplicitAny: narrows the schemas of tools whose inputs are mixed.
export function isStandardSchema(input: StandardSchema<any> | JsonSchema): input is StandardSchema<any> {
  return "~standard" in input;
}
