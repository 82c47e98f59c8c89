// Runs that share a process: what they have in common is held once, and none may feel another.
import { getEventListeners } from "node:events";
import { Policy } from "@harness/policy";
import type { CompletionRequest } from "@harness/spec";
import { call, countingIds, hang, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { reader, turn } from "../tools/tools.test-support.js";
import { type Begun, type Overrides, openStage } from "./stage.test-support.js";

const stage = openStage();

/** What the first completion of a run is asked with. */
async function firstRequest(overrides: Overrides): Promise<CompletionRequest> {
  const { provider } = await stage.drive([say("Done.")], overrides);
  const [taken] = provider.requests;
  if (!taken) throw new Error("The run asked nothing.");
  return taken.request;
}

describe("many runs on one signal", () => {
  it("have one listener between them, and all that are under way stop when it fires", async () => {
    const stop = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const shared = { store: memoryStore(), ids: countingIds(), signal: stop.signal, tools: [reader()] };
    const begin = (...script: Parameters<typeof stage.begin>[0][number][]) =>
      Array.from({ length: 60 }, () => stage.begin([call("look"), ...script], shared));
    const outcomes = (runs: readonly Begun[]) =>
      Promise.all(runs.map(async ({ handle }) => JSON.stringify((await handle.result).outcome)));
    const short = begin(say("Done."));
    const long = begin(hang("on"));

    expect(new Set(await outcomes(short))).toEqual(new Set(['{"steps":2,"type":"finished"}']));
    while (long.some(({ provider }) => provider.asked < 2)) await turn();
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
    stop.abort("enough");

    expect(new Set(await outcomes(long))).toEqual(new Set(['{"steps":1,"type":"cancelled","reason":"enough"}']));
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });
});

describe("many runs with one tool", () => {
  it("offer the same of it, which no provider of theirs can change for the others", async () => {
    const tools = [reader()];
    const [first] = (await firstRequest({ tools })).tools;
    expect(() => Object.assign(first?.parameters.properties as object, { more: {} })).toThrow(TypeError);

    expect((await firstRequest({ tools })).tools).toEqual([first]);
  });
});

describe("many runs under one policy", () => {
  it("tell each model of the sandbox of its own run", async () => {
    const policy = new Policy().allowRead("docs/*");
    const bare = (await firstRequest({ policy })).system;
    const inSandbox = (await firstRequest({ policy, sandbox: checkingSandbox(0) })).system;

    expect(bare).toContain("Commands cannot be run here.");
    expect(inSandbox).toContain('Commands run in the sandbox "double"');
    expect((await firstRequest({ policy })).system).toBe(bare);
  });

  it("are not told of another policy, though it was made from the same one", async () => {
    const policy = new Policy().allowRead("docs/*");
    const { system } = await firstRequest({ policy });
    const wider = (await firstRequest({ policy: policy.allowRead("src/*") })).system;

    expect(system).toContain('allowed: "docs/*".');
    expect(wider).toContain('allowed: "docs/*", "src/*".');
  });

  it("go by the rules that plain data had as each began", async () => {
    const rules = [{ act: "read", effect: "allow", pattern: "docs/*" }] as {
      act: "read";
      effect: "allow" | "deny";
      pattern: string;
    }[];
    const defaults = { read: "deny", write: "deny", exec: "deny", net: "deny" } as const;
    const policy = { layers: [{ name: "house", rules }], defaults };
    const before = (await firstRequest({ policy })).system;
    for (const rule of rules) rule.effect = "deny";

    expect(before).toContain('allowed: "docs/*"');
    expect((await firstRequest({ policy })).system).toContain('refused: "docs/*" (layer "house")');
  });
});
