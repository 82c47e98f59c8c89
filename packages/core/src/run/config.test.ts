import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyTool, defineTool, Provider, Sandbox, Store } from "@harness/spec";
import { say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ContractInput } from "../contract/contract-input.js";
import { memoryStore } from "../store/memory-store.js";
import { reader, writer } from "../tools/tools.test-support.js";
import type { DriveOptions } from "./options.js";
import { openStage } from "./stage.test-support.js";
import { run } from "./start.js";

const stage = openStage();

/** What the run rejects with, having asked and written nothing. */
async function refusal(contract: object, options: Partial<DriveOptions> = {}): Promise<unknown> {
  const provider = scriptedProvider([say("Done.")]);
  const store = memoryStore();
  const given = { ...stage.contract(), ...contract } as ContractInput;
  const error = await run(given, { provider, store, environment: {}, ...options }).then(
    ({ outcome }) => outcome,
    (error: unknown) => error,
  );
  expect(provider.asked).toBe(0);
  expect(await store.runs()).toEqual([]);
  return error;
}

const limits = (changes: object) => ({ limits: changes });

describe("a contract that is wrong", () => {
  it.each<[what: string, contract: object, path: readonly (string | number)[]]>([
    ["an empty goal", { goal: "  " }, ["goal"]],
    ["a relative workspace", { workspace: "src" }, ["workspace"]],
    ["a key that nobody knows", { limts: {} }, []],
    ["a limit that nobody knows", limits({ maxStep: 3 }), ["limits"]],
    ["no step", limits({ maxSteps: 0 }), ["limits", "maxSteps"]],
    ["a negative number of steps", limits({ maxSteps: -1 }), ["limits", "maxSteps"]],
    ["half a step", limits({ maxSteps: 1.5 }), ["limits", "maxSteps"]],
    ["no time", limits({ maxDurationMs: 0 }), ["limits", "maxDurationMs"]],
    ["endless time", limits({ maxDurationMs: Number.POSITIVE_INFINITY }), ["limits", "maxDurationMs"]],
    ["no tokens", limits({ maxTokens: 0 }), ["limits", "maxTokens"]],
    ["negative retries", limits({ maxRetries: -1 }), ["limits", "maxRetries"]],
    ["a negative wait", limits({ retryBaseMs: -1 }), ["limits", "retryBaseMs"]],
    ["a negative longest wait", limits({ retryMaxMs: -1 }), ["limits", "retryMaxMs"]],
    ["no time for a completion", limits({ completionTimeoutMs: 0 }), ["limits", "completionTimeoutMs"]],
    ["no time for a call", limits({ toolTimeoutMs: 0 }), ["limits", "toolTimeoutMs"]],
    ["no time for a command", limits({ execTimeoutMs: 0 }), ["limits", "execTimeoutMs"]],
    ["no reads", limits({ maxParallelReads: 0 }), ["limits", "maxParallelReads"]],
    ["no observation", limits({ maxObservationChars: 0 }), ["limits", "maxObservationChars"]],
    ["a negative window", limits({ stallWindow: -1 }), ["limits", "stallWindow"]],
    ["negative replans", limits({ maxReplans: -1 }), ["limits", "maxReplans"]],
    ["a gate of no known type", { verify: { type: "compiles" } }, ["verify", "type"]],
    ["a gate without a command", { verify: { type: "command", argv: [] } }, ["verify", "argv", 0]],
    ["a gate on a file outside", { verify: { type: "file-contains", path: "../x", text: "a" } }, ["verify", "path"]],
    ["a variable that is none", { env: ["A=B"] }, ["env", 0]],
    ["an empty constraint", { constraints: ["be brief", ""] }, ["constraints", 1]],
    ["a blank replayable command", { replayable: [" "] }, ["replayable", 0]],
    ["no output", { maxOutputTokens: 0 }, ["maxOutputTokens"]],
  ])("is refused for %s", async (_what, contract, path) => {
    expect(await refusal(contract)).toMatchObject({ name: "ConfigError", code: "config-invalid", path });
  });

  it("is refused by start at once", () => {
    expect(() => stage.begin([], { contract: { goal: "" } })).toThrow(expect.objectContaining({ path: ["goal"] }));
  });

  it("is refused for a workspace that is not there, or is a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "harness-config-"));
    const file = join(folder, "file");
    await writeFile(file, "");

    const refused = { code: "config-invalid", path: ["workspace"] };
    expect(await refusal({ workspace: join(folder, "missing") })).toMatchObject(refused);
    expect(await refusal({ workspace: file })).toMatchObject(refused);
    await rm(folder, { recursive: true });
  });
});

describe("options that are wrong", () => {
  const next = (port: object) => ({ ...port, spec: 2 }) as never;
  const sandbox = { spec: 1, backend: "double" } as unknown as Sandbox;
  const tool = (more: Partial<AnyTool>): AnyTool => reader("look", undefined, more);

  it.each<[what: string, options: Partial<DriveOptions>]>([
    ["no provider", { provider: undefined as unknown as Provider }],
    ["a provider of another version", { provider: next(scriptedProvider([])) }],
    ["a sandbox of another version", { sandbox: next(sandbox) }],
    ["two tools of one name", { tools: [reader("a"), writer("a")] }],
    ["two tools of one name, made for the contract", { tools: () => [reader("a"), writer("a")] }],
    ["a tool name that no vendor accepts", { tools: [reader("look at")] }],
    ["a tool without a name", { tools: [reader("")] }],
    ["a name that is too long", { tools: [reader("a".repeat(65))] }],
    ["a tool that does not say what it takes", { tools: [tool({ input: nameless() })] }],
    ["a JSON Schema that cannot be read", { tools: [tool({ input: { type: "no such type" } })] }],
    ["a lease that lapses at once", { leaseTtlMs: 0 }],
    ["a lease of no length", { leaseTtlMs: Number.NaN }],
    ["a policy that is misspelt", { policy: { layers: [], defaults: { read: "alow" } } as never }],
  ])("are refused for %s", async (_what, options) => {
    expect(await refusal({}, options)).toMatchObject({ code: "config-invalid" });
  });

  it("are refused for a store of another version", async () => {
    const store: Store = next(memoryStore());

    expect(await refusal({}, { store })).toMatchObject({ code: "config-invalid" });
  });

  it("are refused for a gate that is a command and no sandbox to run it in", async () => {
    expect(await refusal({ verify: { type: "command", argv: ["npm", "test"] } })).toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("`sandbox`"),
    });
  });

  it("take a tool with a name of 64 characters, and one whose parameters are written out", async () => {
    const parameters = { type: "object" } as const;
    const { provider } = await stage.drive([say("Done.")], {
      tools: [reader("a".repeat(64)), tool({ input: nameless(), parameters })],
    });

    const [taken] = provider.requests;
    expect(taken?.request.tools.map(({ name }) => name)).toEqual(["a".repeat(64), "look"]);
    expect(taken?.request.tools[1]?.parameters).toEqual(parameters);
  });
});

/** A schema that validates and has no JSON Schema form. */
function nameless(): ReturnType<typeof defineTool>["input"] {
  const { validate } = z.looseObject({})["~standard"];
  return { "~standard": { version: 1, vendor: "test", validate } } as never;
}
