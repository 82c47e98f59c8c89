import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Completion } from "@harness/spec";
import { fail, say, scriptedProvider, stream } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { replay } from "../replay.js";
import { record } from "./record.js";
import { ask, asking, called, freshPath, user } from "./recording.test-support.js";

const first = asking(user("Fix it."));
const second = asking(user("Fix it."), ...called("text of a.ts"));
const environment = {};

describe("a recorded provider", () => {
  it("is the one that it records, deltas and all", async () => {
    const path = freshPath();
    const endpoints = [{ target: "a:443" }];
    const inner = scriptedProvider([stream("On", "e.")], { name: "a", model: "m", endpoints });
    const provider = record(
      { ...inner, acceptsImages: true, models: async () => [{ id: "m" }] },
      { path, environment },
    );
    const { name, model, acceptsImages } = provider;
    expect({ name, model, acceptsImages, endpoints: provider.endpoints }).toEqual({
      ...{ name: "a", model: "m", acceptsImages: true, endpoints },
    });
    expect(await provider.models?.()).toEqual([{ id: "m" }]);
    expect((await ask(provider, first)).deltas.map((delta) => "text" in delta && delta.text)).toEqual(["On", "e."]);
  });

  it("has each answer on disk before it gives it", async () => {
    const path = freshPath("deep/er/run.jsonl");
    const provider = record(scriptedProvider([say("One."), say("Two.")]), { path, environment });
    for (const request of [first, second]) {
      const { completion } = await ask(provider, request);
      expect((await ask(replay({ path, environment }), request)).completion).toEqual(completion);
    }
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("keeps every message once, however often it was sent", async () => {
    const path = freshPath();
    const provider = record(scriptedProvider([], { rest: say("Yes.") }), { path, environment });
    await ask(provider, first);
    await ask(provider, second);
    await ask(provider, asking(...second.messages, user("Go on.")));
    expect(readFileSync(path, "utf8").split("Fix it.")).toHaveLength(2);
    expect(readFileSync(path, "utf8")).not.toContain("sealed");
  });

  it("records concurrent answers, each with its own question", async () => {
    const path = freshPath();
    const questions = Array.from({ length: 20 }, (_, nth) => asking(user(`Question ${nth}.`)));
    const rest = (request: typeof first) => say(`Answer to ${JSON.stringify(request.messages)}`);
    const provider = record(scriptedProvider([], { rest }), { path, environment });
    const answers = await Promise.all(questions.map((question) => ask(provider, question)));
    const replayed = replay({ path, environment });
    for (const [nth, question] of questions.entries()) {
      expect((await ask(replayed, question)).completion).toEqual(answers[nth]?.completion);
    }
  });

  it("leaves failures out, and hands them on", async () => {
    const path = freshPath();
    const provider = record(scriptedProvider([[fail("server"), say("Yes.")]]), { path, environment });
    expect((await ask(provider, first)).error).toMatchObject({ kind: "server" });
    await ask(provider, first);
    expect((await ask(replay({ path, environment }), first)).completion).toMatchObject({ text: "Yes." });
  });

  it("keeps secrets out, and replays what was asked with them", async () => {
    const path = freshPath();
    const secrets = { environment: { API_TOKEN: "s3cr3t-of-the-day", PIN: "another-secret" }, secrets: ["PIN"] };
    const request = asking(user("Use s3cr3t-of-the-day and another-secret."));
    const provider = record(scriptedProvider([say("Used s3cr3t-of-the-day.")]), { path, ...secrets });
    expect((await ask(provider, request)).completion?.text).toBe("Used s3cr3t-of-the-day.");
    expect(readFileSync(path, "utf8")).not.toMatch(/s3cr3t|another-secret/);
    expect((await ask(replay({ path, ...secrets }), request)).completion?.text).toBe("Used [redacted:API_TOKEN].");
  });
});

describe("a recording that cannot be written", () => {
  it("is told with the answer that it misses, which was billed, and nothing more is asked", async () => {
    const path = freshPath();
    const inner = scriptedProvider([say("One."), say("Two.")]);
    const provider = record(inner, { path, environment });
    mkdirSync(path);
    const message = expect.stringContaining(`could not be recorded at ${path}`);
    expect((await ask(provider, first)).error).toMatchObject({
      ...{ kind: "request", isRetryable: false, message, usage: { totalTokens: 15 } },
    });
    expect((await ask(provider, second)).error).toMatchObject({ kind: "request", message });
    expect(inner.asked).toBe(1);
  });

  it("is one that something else writes to", async () => {
    const path = freshPath();
    const provider = record(scriptedProvider([say("One."), say("Two.")]), { path, environment });
    await ask(provider, first);
    appendFileSync(path, "\n");
    expect((await ask(provider, second)).error).toMatchObject({ message: expect.stringContaining("something else") });
  });

  it("misses an answer that is no JSON", async () => {
    const answer = {
      ...(await scriptedProvider([say("One.")]).complete(first, { signal: new AbortController().signal })),
    };
    const inner = { ...scriptedProvider([]), complete: async () => ({ ...answer, ttftMs: 1n as unknown as number }) };
    const provider = record(inner, { path: freshPath(), environment });
    for (const request of [first, second]) {
      const message = expect.stringContaining("could not be recorded");
      expect((await ask(provider, request)).error).toMatchObject({ kind: "request", message });
    }
  });

  it("is one that has been removed", async () => {
    const path = freshPath();
    const provider = record(scriptedProvider([say("One."), say("Two.")]), { path, environment });
    await ask(provider, first);
    rmSync(path);
    expect((await ask(provider, second)).error).toMatchObject({ kind: "request" });
  });
});

describe("a file that is there already", () => {
  const recorded = async (path: string, existing?: "append" | "replace", answer = "One.") => {
    const inner = scriptedProvider([say(answer), say("Two.")], { name: "a" });
    const provider = record(inner, { path, environment, ...(existing && { existing }) });
    return { provider, ...(await ask(provider, first)) };
  };
  const replayed = async (path: string, request = first) =>
    (await ask(replay({ path, environment }), request)).completion;

  it("is not written over unless that is asked for", async () => {
    const path = freshPath();
    await recorded(path);
    await expect(recorded(path)).rejects.toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(await replayed(path)).toMatchObject({ text: "One." });
    await recorded(path, "replace", "New.");
    expect(await replayed(path)).toMatchObject({ text: "New." });
  });

  it("is written when there is none, whatever was asked for", async () => {
    for (const existing of ["append", "replace"] as const) {
      const path = freshPath();
      await recorded(path, existing);
      expect(await replayed(path)).toMatchObject({ text: "One." });
    }
  });

  it("may be gone on with where a process died in the middle of a line", async () => {
    const path = freshPath();
    const { provider } = await recorded(path);
    const whole = statSync(path).size;
    await ask(provider, second);
    truncateSync(path, whole + 40);
    expect(await replayed(path)).toMatchObject({ text: "One." });

    const resumed = record(scriptedProvider([say("One."), say("Due.")], { name: "a" }), {
      path,
      existing: "append",
      environment,
    });
    await ask(resumed, second);
    expect(await replayed(path, second)).toMatchObject({ text: "Due." });
    expect(await replayed(path)).toMatchObject({ text: "One." });
  });

  it("may be one in which nothing became whole", async () => {
    const path = freshPath();
    writeFileSync(path, '{"record');
    await recorded(path, "append");
    expect(await replayed(path)).toMatchObject({ text: "One." });
  });

  it("is not gone on with for another provider, or when it is something else", async () => {
    const path = freshPath();
    await recorded(path);
    const other = scriptedProvider([say("One.")], { name: "b" });
    expect(() => record(other, { path, existing: "append" })).toThrow(/has answers of a/);
    writeFileSync(path, "# Notes\n");
    expect(() => record(other, { path, existing: "append" })).toThrow(/line 1: it is no JSON/);
  });
});

it("keeps all that a completion holds", async () => {
  const path = freshPath(join("a", "run.jsonl"));
  const completion: Completion = {
    ...{ text: null, reasoning: "Hm.", model: "m-1", stop: "tool-calls", finishReason: "tool_use", ttftMs: 12 },
    calls: [{ name: "read", arguments: null, invalidArguments: "{", vendorId: "call_1" }],
    usage: {
      ...{ promptTokens: 1, completionTokens: 2, totalTokens: 3, cacheReadTokens: 1 },
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
    continuation: { provider: "b", model: "m", data: { items: ["sealed"] } },
    ...{ servedBy: "b", requestId: "req_1" },
    failedLinks: [{ provider: "a", kind: "server", message: "Down.", status: 503 }],
  };
  const inner = { ...scriptedProvider([]), complete: async () => completion };
  await ask(record(inner, { path, environment }), first);
  expect((await ask(replay({ path, environment }), first)).completion).toEqual(completion);
});
