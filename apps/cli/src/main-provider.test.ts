import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatServer } from "./chat-server.test-support.js";
import { desk, type ModuleReply } from "./desk.test-support.js";

const look: ModuleReply = { calls: [{ name: "list_dir", arguments: {} }] };
const key = "k-0123456789abcdef";

const labelsOf = async (at: ReturnType<typeof desk>) =>
  (await at.events()).flatMap((event) =>
    event.type === "run.started" || event.type === "run.resumed" ? [event.labels.provider] : [],
  );

describe("harness run with a provider of the harness", () => {
  it("asks an endpoint that the environment names, and says where it dials and that this opens nothing else", async () => {
    using at = desk();
    await using server = await chatServer([look, { text: "It is empty." }]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1", HARNESS_API_KEY: key };

    const { code, printed, complained } = await at.harness(["run", at.contract(), "--provider", "compatible"], { env });

    expect(complained).toBe("");
    expect(code).toBe(0);
    expect(printed).toContain("It is empty.");
    expect(printed).toContain(`m-1 is asked at ${server.target}.`);
    expect(server.asked.map(({ authorization, body }) => [authorization, body.model])).toEqual([
      [`Bearer ${key}`, "m-1"],
      [`Bearer ${key}`, "m-1"],
    ]);
    expect(printed + JSON.stringify(await at.events())).not.toContain(key);
  });

  it("is found again by a resume whose environment has the key and nothing else", async () => {
    using at = desk();
    await using server = await chatServer([look, { text: "Done." }]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1" };
    const contract = at.contract({ limits: { maxSteps: 1 } });
    await at.harness(["run", contract, "--provider", "compatible"], { env });
    const { id } = await at.stored();

    const resumed = await at.harness(["resume", id, "--max-steps", "2"], { env: { HARNESS_API_KEY: key } });

    expect(resumed).toMatchObject({ code: 0, complained: "" });
    expect(server.asked.map(({ authorization, body }) => [authorization, body.model])).toEqual([
      [undefined, "m-1"],
      [`Bearer ${key}`, "m-1"],
    ]);
    const [first, second] = await labelsOf(at);
    expect(first).toMatch(/^builtin:compatible\?model=m-1&base=/);
    expect(second).toBe(first);
  });

  it("does not take the key of another endpoint to the one that was recorded", async () => {
    using at = desk();
    await using server = await chatServer([look, { text: "Done." }]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1", HARNESS_API_KEY: key };
    await at.harness(["run", at.contract({ limits: { maxSteps: 1 } }), "--provider", "compatible"], { env });
    const { id } = await at.stored();

    const elsewhere = { HARNESS_BASE_URL: "http://127.0.0.1:9/v1", HARNESS_API_KEY: "k-of-somebody-else" };
    await at.harness(["resume", id, "--max-steps", "2"], { env: elsewhere });

    expect(server.asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${key}`, undefined]);
  });

  it("is refused by a policy that denies its address, as any provider is", async () => {
    using at = desk();
    await using server = await chatServer([]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1" };
    const denying = {
      layers: [{ name: "house", rules: [{ act: "net", effect: "deny", pattern: "127.0.0.1" }] }],
      defaults: { read: "allow", write: "ask", exec: "ask", net: "deny" },
    };
    const policy = at.file("policy.json", denying);

    const { code, printed } = await at.harness(["run", at.contract(), "--provider", "compatible", "--policy", policy], {
      env,
    });

    expect(code).toBe(4);
    expect(printed).toContain('of layer "house"');
    expect(server.asked).toEqual([]);
  });

  it.each([
    ["openai", {}, "OPENAI_API_KEY"],
    ["anthropic", { ANTHROPIC_API_KEY: key }, "--model"],
    ["openrouter", { OPENROUTER_API_KEY: key }, "OPENROUTER_MODEL"],
    ["compatible", { HARNESS_MODEL: "m" }, "HARNESS_BASE_URL"],
    ["groq", { HARNESS_MODEL: "m" }, "GROQ_API_KEY"],
    ["groq", { GROQ_API_KEY: key }, "HARNESS_MODEL"],
  ])("says what %s lacks, and starts nothing", async (name, env, told) => {
    using at = desk();

    const { code, complained } = await at.harness(["run", at.contract(), "--provider", name], { env });

    expect(code).toBe(2);
    expect(complained).toContain(told);
    expect(complained).not.toContain(key);
    expect((await at.harness(["runs", "--json"])).printed).toBe("");
  });

  it("asks the model of the command line, which the contract then has", async () => {
    using at = desk();
    await using server = await chatServer([]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1" };

    await at.harness(["run", at.contract({ model: "m-2" }), "--provider", "compatible", "--model", "m-3"], { env });

    expect(server.asked.map(({ body }) => body.model)).toEqual(["m-3"]);
    expect((await at.events())[0]).toMatchObject({ content: { contract: { model: "m-3" } } });
  });
});

describe("harness run --record and --replay", () => {
  it("plays the recorded run again with the same answers and asks nobody", async () => {
    using at = desk();
    await using server = await chatServer([look, { text: "It is empty." }]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1", HARNESS_API_KEY: key };
    const contract = at.contract();
    await at.harness(["run", contract, "--provider", "compatible", "--record", "kept.jsonl"], { env });
    const before = (await at.events()).map(({ type }) => type);

    const { code, printed } = await at.harness(["run", contract, "--replay", "kept.jsonl"]);

    expect(code).toBe(0);
    expect(printed).toContain(`Answers come from the recording ${join(at.folder, "kept.jsonl")}.`);
    expect(printed).toContain("It is empty.");
    expect((await at.events()).map(({ type }) => type)).toEqual(before);
    expect(server.asked).toHaveLength(2);
    expect(readFileSync(join(at.folder, "kept.jsonl"), "utf8")).not.toContain(key);
  });

  it("goes on with the recording of a run that is gone on with, and replays it across the cut", async () => {
    using at = desk();
    await using server = await chatServer([look, { text: "Done." }]);
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1" };
    const short = at.contract({ limits: { maxSteps: 1 } });
    await at.harness(["run", short, "--provider", "compatible", "--record", "kept.jsonl"], { env });
    const { id } = await at.stored();
    await at.harness(["resume", id, "--max-steps", "2", "--record", "kept.jsonl"], { env });

    await at.harness(["run", short, "--replay", "kept.jsonl"]);
    const again = await at.harness(["resume", (await at.stored()).id, "--max-steps", "2"]);

    expect(again).toMatchObject({ code: 0, complained: "" });
    expect(server.asked).toHaveLength(2);
    expect((await labelsOf(at)).every((label) => label?.startsWith("replay:file:"))).toBe(true);
  });

  it("takes no provider beside a recording", async () => {
    using at = desk();

    const { code, complained } = await at.harness(["run", at.contract(), "--replay", "x", "--provider", "openai"]);

    expect(code).toBe(2);
    expect(complained).toContain("cannot be used with");
  });
});
