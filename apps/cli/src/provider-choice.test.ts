import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseProvider, openProvider, replayOf } from "./provider-choice.js";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "harness-choice-"));
  mkdirSync(join(cwd, "node_modules/mistral"), { recursive: true });
  writeFileSync(join(cwd, "node_modules/mistral/package.json"), '{"name":"mistral","main":"index.js"}');
  writeFileSync(join(cwd, "node_modules/mistral/index.js"), "");
  writeFileSync(join(cwd, "openai"), "");
});
afterAll(() => rmSync(cwd, { recursive: true }));

const choose = (given: string, env: Readonly<Record<string, string>> = {}, model?: string) =>
  chooseProvider(given, { cwd, env }, model);

describe("what --provider names", () => {
  it.each([
    ["anthropic", {}, "builtin:anthropic"],
    ["groq", { HARNESS_MODEL: "llama" }, "builtin:groq?model=llama"],
    ["openai", { HARNESS_MODEL: "llama" }, "builtin:openai"],
    [
      "compatible",
      { HARNESS_MODEL: "m", HARNESS_BASE_URL: "https://me:pw@h:1/v1?k=s" },
      "builtin:compatible?model=m&base=https%3A%2F%2Fh%3A1%2Fv1",
    ],
  ])("as %s is one of the harness's own, and no secret is in its words", async (given, env, specifier) => {
    expect(await choose(given, env)).toBe(specifier);
  });

  it("asks the contract's model rather than the environment's", async () => {
    expect(await choose("groq", { HARNESS_MODEL: "llama" }, "qwen")).toBe("builtin:groq?model=qwen");
  });

  it("is one of the harness's own before it is a file or a package, which has a path for that", async () => {
    expect(await choose("mistral")).toBe("builtin:mistral");
    expect(await choose("./openai")).toBe(pathToFileURL(join(cwd, "openai")).href);
  });

  it("is a module as ever where it is none of them", async () => {
    expect(await choose("some-package")).toBe("some-package");
    await expect(choose("./none.mjs")).rejects.toMatchObject({ code: "config-invalid" });
  });

  it("may be what was recorded, which stays what it is", async () => {
    const recording = replayOf("kept.jsonl", { cwd });

    expect(await choose(recording)).toBe(recording);
    expect(await choose("builtin:groq?model=m")).toBe("builtin:groq?model=m");
  });
});

describe("a provider that was chosen", () => {
  const env = { ANTHROPIC_API_KEY: "k-1234567890", ANTHROPIC_MODEL: "claude-x", GROQ_API_KEY: "k-0987654321" };

  it("is recorded with the model that the environment gave it", async () => {
    const { label, provider } = await openProvider("builtin:anthropic", { env });

    expect(label).toBe("builtin:anthropic?model=claude-x");
    expect(provider).toMatchObject({ name: "anthropic", model: "claude-x" });
    expect(provider.endpoints).toEqual([{ target: "api.anthropic.com:443" }]);
  });

  it("keeps its recorded model, whatever the environment says now", async () => {
    const { provider } = await openProvider("builtin:anthropic?model=claude-y", { env });

    expect(provider.model).toBe("claude-y");
  });

  it("never takes a preset's key to another address", async () => {
    const elsewhere = { ...env, HARNESS_BASE_URL: "http://127.0.0.1:1/v1" };
    const { provider } = await openProvider(await choose("groq", elsewhere, "m"), { env: elsewhere });

    expect(provider.endpoints).toEqual([{ target: "api.groq.com:443" }]);
  });

  it("uses the environment's own address where that is the recorded one with credentials", async () => {
    const own = { HARNESS_MODEL: "m", HARNESS_BASE_URL: "http://h:1/v1?tenant=a" };
    const { label } = await openProvider(await choose("compatible", own), { env: own });

    expect(label).toBe("builtin:compatible?model=m&base=http%3A%2F%2Fh%3A1%2Fv1");
  });

  it("is refused by name where this version does not have it", async () => {
    await expect(openProvider("builtin:unheard-of?model=m", { env })).rejects.toMatchObject({ code: "config-invalid" });
  });

  it("is refused where there is no such recording", async () => {
    await expect(openProvider(replayOf("none.jsonl", { cwd }), { env })).rejects.toMatchObject({
      code: "config-invalid",
    });
  });
});
