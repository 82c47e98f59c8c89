import { type PriceTable, priceTable } from "@harness/spec";
import { call, fail, fakeClock, type Script, say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { noSpend } from "../outcome/spend.js";
import { only, openStage, rowsIn, storeWith, typesOf } from "../run/stage.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { reader } from "../tools/tools.test-support.js";

const stage = openStage();
const tools = [reader()];
const endless: Script = Array.from({ length: 20 }, (_, nth) => call("look", { nth }));
// A completion of the double has 10 + 5 tokens, which is 20 micro-units here.
const price = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 };
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const table = (prices: PriceTable["prices"] = { "scripted-model": price }) =>
  priceTable({ asOf: "2026-01-31", currency: "USD", prices });
const money = (maxCostMicros: number, more: object = {}) => ({ limits: { maxCostMicros, ...more } });

describe("the budget of money", () => {
  it("lets a run spend exactly that much, and keeps the step that goes beyond", async () => {
    const at = await stage.drive(endless, { tools, prices: table(), contract: money(40, { maxSteps: 2 }) });
    const beyond = await stage.drive(endless, { tools, prices: table(), contract: money(39) });

    expect(at.outcome).toEqual({ type: "budget", limit: "steps", steps: 2 });
    expect(beyond.outcome).toEqual({ type: "budget", limit: "cost", steps: 2 });
    expect(beyond.result.cost).toEqual({ micros: 40, unpriced: 0, asOf: "2026-01-31", currency: "USD" });
  });

  it("beats a gate that would pass, which is then not asked", async () => {
    const { outcome, events } = await stage.drive([call("look")], {
      tools,
      prices: table(),
      sandbox: checkingSandbox(0),
      contract: { ...money(10), verify: { type: "command", argv: ["check"] } },
    });

    expect(outcome).toEqual({ type: "budget", limit: "cost", steps: 1 });
    expect(typesOf(events)).not.toContain("gate.started");
  });

  it("never stops a run whose model costs nothing", async () => {
    const { outcome, result } = await stage.drive([call("look"), say("Done.")], {
      tools,
      prices: table({ "scripted-model": free }),
      contract: money(0),
    });

    expect(outcome.type).toBe("finished");
    expect(result.cost).toMatchObject({ micros: 0, unpriced: 0 });
  });

  it("is asked before a completion that failed is asked for again, since that was billed too", async () => {
    const billed = fail("server", {
      usage: { ...noSpend, promptTokens: 100, totalTokens: 100 },
    });
    const provider = scriptedProvider([[billed, say("Done.")]], { model: "scripted-model" });
    const clock = fakeClock(0, { autoAdvance: true });

    const { outcome, store } = await stage.drive([], { provider, clock, prices: table(), contract: money(99) });

    expect(outcome).toEqual({ type: "budget", limit: "cost", steps: 0 });
    expect(provider.asked).toBe(1);
    const more = await stage.goOn(store, [say("Done.")], { clock, limits: { maxCostMicros: 200 } });
    expect(more.outcome).toEqual({ type: "finished", steps: 1 });
    expect(more.result.cost).toMatchObject({ micros: 120 });
  });

  it("goes on when a resume raises it, by the prices of the log", async () => {
    const { store } = await stage.drive(endless, { tools, prices: table(), contract: money(19) });

    const { outcome, result } = await stage.goOn(store, [call("look"), say("Done.")], {
      tools,
      limits: { maxCostMicros: 40 },
    });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(result.cost).toMatchObject({ micros: 40 });
  });

  it("counts everything anew by the prices that a resume brings", async () => {
    const { store } = await stage.drive(endless, { tools, prices: table(), contract: money(19) });
    const dear = table({ "scripted-model": { ...price, input: 10_000_000 } });

    const { outcome, result } = await stage.goOn(store, endless, {
      tools,
      prices: dear,
      limits: { maxCostMicros: 109 },
    });

    expect(outcome).toEqual({ type: "budget", limit: "cost", steps: 1 });
    expect(result.cost).toMatchObject({ micros: 110 });
  });

  it("is the same wherever the run is cut", async () => {
    const { store, outcome } = await stage.drive(endless, { tools, prices: table(), contract: money(59) });
    const rows = await rowsIn(store);
    // Its last event is the pause that a resume would go on from.
    for (let count = 1; count < rows.length; count += 1) {
      const cut = await stage.goOn(await storeWith(rows, count), endless, { tools });
      expect(cut.outcome, `cut behind event ${count}`).toMatchObject({ type: outcome.type, limit: "cost" });
      expect(cut.result.cost?.micros).toBeGreaterThan(59);
    }
  });
});

describe("a model without a price", () => {
  const unpriced = (model: string | null) => [{ ...call("look"), model }, say("Done.")] as const;

  it.each<[what: string, options: object, path: readonly string[]]>([
    ["no prices at all", {}, ["prices"]],
    ["none for the model of the provider", { prices: table({}) }, ["prices", "prices", "m-1"]],
    [
      "none for the model of the contract",
      { prices: table({ "m-1": price }), model: "m-2" },
      ["prices", "prices", "m-2"],
    ],
    ["a table that is none", { prices: { asOf: "yesterday" } }, ["asOf"]],
    ["no word of what is to be done about it", { prices: table({ "m-1": price }), unpriced: "ask" }, ["unpriced"]],
  ])(
    "is refused before anything is asked where a budget of money has %s",
    async (_what, { model, ...options }: { model?: string }, path) => {
      const provider = scriptedProvider([say("Done.")], { model: "m-1" });
      const store = memoryStore();
      const contract = { ...money(10), ...(model === undefined ? {} : { model }) };

      await expect(stage.drive([], { provider, store, contract, ...options })).rejects.toMatchObject({
        code: "config-invalid",
        path,
      });
      expect(provider.asked).toBe(0);
      expect(await store.runs()).toEqual([]);
    },
  );

  it.each<[what: string, reply: object, why: string, model: string | null]>([
    ["answers", { model: "m-2026-01" }, "no-price", "m-2026-01"],
    ["does not say what it is", { model: null }, "no-model", null],
    ["does not say what it used", { usage: null }, "no-usage", "scripted-model"],
  ])("pauses the run behind the step in which it %s, and says so", async (_what, reply, why, model) => {
    const script = [{ ...call("look"), ...reply }, say("Done.")];

    const { outcome } = await stage.drive(script, { tools, prices: table(), contract: money(1_000) });

    expect(outcome).toEqual({ type: "budget", limit: "cost", steps: 1, unpriced: { why, model } });
  });

  it("goes on once a resume brings its price", async () => {
    const { store } = await stage.drive(unpriced("m-2"), { tools, prices: table(), contract: money(1_000) });
    const prices = table({ "scripted-model": price, "m-2": price });

    const { outcome, result } = await stage.goOn(store, unpriced("m-2"), { tools, prices });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(result.cost).toMatchObject({ micros: 40, unpriced: 0 });
  });

  it("is left out of the budget, and counted as left out, where that is allowed", async () => {
    const { outcome, result, store } = await stage.drive(unpriced("m-2"), {
      tools,
      prices: table(),
      unpriced: "allow",
      contract: money(20, { maxSteps: 1 }),
    });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 1 });
    expect(result.cost).toMatchObject({ micros: 0, unpriced: 1 });
    const more = await stage.goOn(store, unpriced("m-2"), { tools, limits: { maxSteps: 2 } });
    expect(more.outcome, "what was allowed stays so").toEqual({ type: "finished", steps: 2 });
  });

  it("is counted where there are prices and no budget, and stops nothing", async () => {
    const { outcome, result, events } = await stage.drive(unpriced("m-2"), { tools, prices: table() });

    expect(outcome.type).toBe("finished");
    expect(result.cost).toMatchObject({ micros: 20, unpriced: 1 });
    expect(only(events, "run.started")[0]?.pricing).toEqual({ table: table(), unpriced: "refuse" });
  });
});
