import { ConfigError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type ContractInput,
  changeLimits,
  command,
  contractJsonSchema,
  parseContract,
  workspace,
} from "./contract-input.js";

const least: ContractInput = { goal: "Fix it.", workspace: "/repo" };

describe("parseContract", () => {
  it("fills in every default", () => {
    expect(parseContract(least)).toEqual({
      goal: "Fix it.",
      workspace: "/repo",
      verify: { type: "none" },
      constraints: [],
      limits: {
        maxSteps: 12,
        maxRetries: 2,
        retryBaseMs: 500,
        retryMaxMs: 30_000,
        completionTimeoutMs: 600_000,
        toolTimeoutMs: 600_000,
        execTimeoutMs: 900_000,
        maxParallelReads: 10,
        maxObservationChars: 12_000,
        stallWindow: 3,
        maxReplans: 1,
      },
      mode: "workspace-write",
      caps: {},
      replayable: [],
      questions: false,
      plan: false,
      env: [],
    });
  });

  it("gives back what is already whole", () => {
    const whole = parseContract({
      ...least,
      limits: { maxSteps: 3, maxTokens: 9 },
      verify: { type: "command", argv: ["npm", "test"] },
      model: "m",
    });

    expect(parseContract(whole as ContractInput)).toEqual(whole);
    expect(parseContract(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });

  it("keeps the commands of a toolchain, and that there is none", () => {
    const toolchain = { ecosystem: "node (npm)", test: ["npm", "test"], lint: null } as const;

    expect(parseContract({ ...least, toolchain }).toolchain).toEqual(toolchain);
  });

  it.each([
    [{ tests: ["npm", "test"] }, "toolchain"],
    [{ test: "npm test" }, "toolchain.test"],
    [{ test: [] }, "toolchain.test.0"],
    [{ test: [""] }, "toolchain.test.0"],
    [{ test: ["npm", "te\0st"] }, "toolchain.test"],
  ])("refuses %j as a toolchain, naming %s", (toolchain, place) => {
    expect(() => parseContract({ ...least, toolchain } as never)).toThrow(`contract.${place}: `);
  });

  it("leaves what it is given as it was", () => {
    const input = Object.freeze({ ...least, limits: Object.freeze({ maxSteps: 3 }) });

    expect(parseContract(input).limits.maxSteps).toBe(3);
    expect(input).toEqual({ ...least, limits: { maxSteps: 3 } });
  });

  it("gives every contract defaults of its own", () => {
    expect(parseContract(least).limits).not.toBe(parseContract(least).limits);
  });

  it("says what was wrong, where, how much more there is, and that nothing was started", () => {
    const wrong = { ...least, limits: { maxSteps: 0, maxTokens: -1 } };

    expect(() => parseContract(wrong)).toThrow(ConfigError);
    expect(() => parseContract(wrong)).toThrow(/contract\.limits\.maxSteps.*and 1 more.*Nothing was started/s);
  });

  it.each([[undefined], [null], ["goal"], [[]]])("refuses %j as a contract", (input) => {
    expect(() => parseContract(input as never)).toThrow(expect.objectContaining({ code: "config-invalid", path: [] }));
  });
});

describe("command", () => {
  it("is a gate over words, or over a list with options", () => {
    const caps = { maxCpuMs: 60_000, maxMemoryBytes: 2 * 1024 ** 3, maxOpenFiles: 512 };
    const gate = { type: "command", argv: ["npm", "test"], expectExit: 0, reveal: true, timeoutMs: 120_000, caps };

    expect(command("npm", "test")).toEqual(gate);
    expect(command(["npm", "test"], { reveal: false, expectExit: 3 })).toEqual({
      ...gate,
      reveal: false,
      expectExit: 3,
    });
  });

  it.each([
    ["no command", () => command([] as never, {})],
    ["an option that nobody knows", () => command(["npm"], { revael: false } as never)],
    ["an exit code that no program has", () => command(["npm"], { expectExit: 256 })],
    ["NUL", () => command("npm", "a\u0000b")],
    ["an empty program", () => command("")],
  ])("refuses %s", (_what, make) => {
    expect(make).toThrow(ConfigError);
  });
});

describe("workspace", () => {
  it("is a contract over a repository", () => {
    expect(workspace("/repo", { goal: "Fix it." })).toEqual(least);
  });
});

describe("changeLimits", () => {
  const { limits } = parseContract({ ...least, limits: { maxSteps: 3, maxTokens: 100 } });

  it("changes what is named and keeps the rest", () => {
    expect(changeLimits(limits, { maxSteps: 9 })).toEqual({ ...limits, maxSteps: 9 });
    expect(changeLimits(limits)).toEqual(limits);
  });

  it("is as strict as the contract", () => {
    expect(() => changeLimits(limits, { maxSteps: 0 })).toThrow(expect.objectContaining({ path: ["maxSteps"] }));
    expect(() => changeLimits(limits, { maxStep: 9 } as never)).toThrow(ConfigError);
  });
});

describe("the published JSON Schema", () => {
  const schema = z.fromJSONSchema(contractJsonSchema() as never);
  const accepted = (input: unknown) => schema.safeParse(input).success;
  const parsed = (input: unknown) => {
    try {
      return Boolean(parseContract(input as never));
    } catch {
      return false;
    }
  };

  it("is a document that tools can read, with what must be given", () => {
    expect(contractJsonSchema()).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["goal", "workspace"],
      additionalProperties: false,
    });
  });

  it.each<[what: string, input: unknown]>([
    ["the least", least],
    [
      "everything",
      {
        ...parseContract(least),
        model: "m",
        maxOutputTokens: 5,
        limits: { maxSteps: 1, maxDurationMs: 1, maxTokens: 1 },
      },
    ],
    ["a command", { ...least, verify: { type: "command", argv: ["npm", "test"] } }],
    ["a command in full", { ...least, verify: command("npm", "test") }],
    ["a file's text", { ...least, verify: { type: "file-equals", path: "a", text: "" } }],
    ["constraints", { ...least, constraints: ["be brief"], replayable: ["npm test"], env: ["CI"] }],
    ["no goal", { workspace: "/repo" }],
    ["no workspace", { goal: "Fix it." }],
    ["a goal that is no text", { ...least, goal: 1 }],
    ["a key that nobody knows", { ...least, gaol: "x" }],
    ["a limit that nobody knows", { ...least, limits: { maxStep: 1 } }],
    ["no step", { ...least, limits: { maxSteps: 0 } }],
    ["half a step", { ...least, limits: { maxSteps: 0.5 } }],
    ["a gate of no known type", { ...least, verify: { type: "magic" } }],
    ["a gate without its command", { ...least, verify: { type: "command" } }],
    ["an empty command", { ...least, verify: { type: "command", argv: [] } }],
    ["a variable that is none", { ...least, env: ["A-B"] }],
    ["an exit code beyond all", { ...least, verify: { type: "command", argv: ["a"], expectExit: 300 } }],
    ["no contract at all", null],
  ])("accepts and refuses what parseContract does: %s", (_what, input) => {
    expect(accepted(input)).toBe(parsed(input));
  });
});
