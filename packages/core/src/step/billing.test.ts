import { type FailedLink, ProviderError, priceTable, type Usage } from "@harness/spec";
import { fail, fakeClock, hang, type Reply, say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { eventsIn, only, openStage } from "../run/stage.test-support.js";

const stage = openStage();

const usageOf = (promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

async function attempts(...replies: readonly [Reply, ...Reply[]]) {
  const clock = fakeClock(0, { autoAdvance: true });
  const driven = await stage.drive([replies], { clock });
  return { ...driven, failed: only(driven.events, "completion.failed") };
}

describe("an attempt that failed", () => {
  it("is billed as its vendor says, in the log and in the run's spend", async () => {
    const { failed, result } = await attempts(fail("server", { usage: usageOf(100, 7) }), say("Done."));

    expect(failed).toMatchObject([{ usage: usageOf(100, 7) }]);
    expect(failed[0]).not.toHaveProperty("isEstimated");
    expect(result.usage).toMatchObject({ totalTokens: 107 + 15, estimatedCompletions: 0 });
  });

  it("is billed for what had come where its vendor had counted the prompt only", async () => {
    const after = ["four", "four".repeat(9)];
    const { failed, result } = await attempts(fail("transport", { after, usage: usageOf(100, 1) }), say("Done."));

    expect(failed).toMatchObject([{ usage: usageOf(100, 10), isEstimated: true }]);
    expect(result.usage).toMatchObject({ totalTokens: 110 + 15, estimatedCompletions: 1 });
  });

  it("is billed by its lengths where its vendor had counted nothing", async () => {
    const { failed, result } = await attempts(fail("transport", { after: ["four".repeat(10)] }), say("Done."));

    expect(failed).toMatchObject([{ usage: { completionTokens: 10 }, isEstimated: true }]);
    expect(failed[0]?.usage?.promptTokens).toBeGreaterThan(10);
    expect(result.usage.estimatedCompletions).toBe(1);
  });

  it("is billed nothing where nothing had come and nothing was counted", async () => {
    const { failed, result } = await attempts(fail("transport"), say("Done."));

    expect(failed).toMatchObject([{ usage: null }]);
    expect(result.usage).toMatchObject({ totalTokens: 15, estimatedCompletions: 0 });
  });

  it("is billed as it was counted where the whole answer came and could not be used", async () => {
    const useless: Reply = async (_request, { onDelta }) => {
      onDelta({ type: "text", text: "four".repeat(50) });
      return { text: "four".repeat(50), stop: "tool-calls", usage: { promptTokens: 100, completionTokens: 3 } };
    };
    const { failed } = await attempts(useless, say("Done."));

    expect(failed).toMatchObject([{ kind: "malformed", usage: usageOf(100, 3) }]);
    expect(failed[0]).not.toHaveProperty("isEstimated");
  });

  it("adds no NaN, whatever its vendor calls a count", async () => {
    const junk = { promptTokens: Number.NaN, completionTokens: "12", totalTokens: -4 } as unknown as Usage;
    const { failed, result } = await attempts(fail("server", { usage: junk }), say("Done."));

    expect(failed).toMatchObject([{ usage: null }]);
    expect(result.usage.totalTokens).toBe(15);
  });

  it("is billed when it is the run that was stopped", async () => {
    const stop = new AbortController();
    const stopping: Reply = (request, context) => {
      const hanging = hang("four".repeat(10));
      queueMicrotask(() => queueMicrotask(() => stop.abort("enough")));
      return typeof hanging === "function" ? hanging(request, context) : hanging;
    };

    const { result, events } = await stage.drive([stopping], { signal: stop.signal });

    expect(result.outcome).toMatchObject({ type: "cancelled" });
    expect(only(events, "completion.failed")).toMatchObject([{ kind: "cancelled", isEstimated: true }]);
    expect(result.usage).toMatchObject({ completionTokens: 10, estimatedCompletions: 1 });
  });

  it("is billed with what it says on a deadline", async () => {
    const late: Reply = (_request, { signal, provider }) =>
      new Promise((_, reject) => {
        const usage = usageOf(50, 0);
        signal.addEventListener("abort", () => reject(new ProviderError("cancelled", provider, "Stopped.", { usage })));
      });
    const clock = fakeClock();
    const { handle, store } = stage.begin([[late, say("Done.")]], {
      clock,
      contract: { limits: { completionTimeoutMs: 5_000, retryBaseMs: 0 } },
    });
    await clock.untilWaiting(2);
    await clock.advance(5_000);
    await handle.result;
    const events = await eventsIn(store);

    expect(only(events, "completion.failed")).toMatchObject([{ kind: "timeout", usage: usageOf(50, 0) }]);
  });
});

describe("links of a fallback that failed", () => {
  const links: readonly FailedLink[] = [
    {
      provider: "a",
      kind: "server",
      status: 529,
      vendorCode: "overloaded",
      model: "m-a",
      usage: usageOf(30, 0),
      message: "Too busy.",
    },
    { provider: "b", kind: "transport", message: "The line is dead." },
  ];
  const facts = [
    { provider: "a", kind: "server", status: 529, vendorCode: "overloaded", model: "m-a", usage: usageOf(30, 0) },
    { provider: "b", kind: "transport", status: null, vendorCode: null, model: null, usage: null },
  ];
  const words = ["Too busy.", "The line is dead."];

  it("are in the log beside who answered, their words with the words, and in the run's spend", async () => {
    const { events, result } = await stage.drive([{ ...say("Done."), servedBy: "c", failedLinks: links }]);

    expect(only(events, "completion.finished")).toMatchObject([
      { servedBy: "c", failedLinks: facts, content: { failedLinks: words } },
    ]);
    expect(JSON.stringify({ ...only(events, "completion.finished")[0], content: null })).not.toContain("Too busy");
    expect(result.usage.totalTokens).toBe(30 + 15);
  });

  it("are in the log when none answered, and the next attempt starts anew", async () => {
    const { failed, result } = await attempts(fail("server", { failedLinks: links }), say("Done."));

    expect(failed).toMatchObject([{ kind: "server", failedLinks: facts, content: { failedLinks: words } }]);
    expect(result.usage.totalTokens).toBe(30 + 15);
  });

  it("are absent from the events of a provider that has none", async () => {
    const { events } = await stage.drive([say("Done.")]);

    expect(only(events, "completion.finished")[0]).not.toHaveProperty("failedLinks");
    expect(only(events, "completion.finished")[0]?.content).not.toHaveProperty("failedLinks");
  });

  it("are priced by the model that each was asked for", async () => {
    const price = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const prices = priceTable({
      asOf: "2026-01-31",
      prices: { "m-a": { ...price, input: 2_000_000 }, "scripted-model": price },
    });

    const { result } = await stage.drive([{ ...say("Done."), failedLinks: links }], { prices });

    expect(result.cost).toMatchObject({ micros: 60 + 10, unpriced: 0 });
  });
});

describe("what is shown of a completion that another model takes over", () => {
  it("is forgotten by whoever watches, and is not on the bill of the one that answers", async () => {
    const taking: Reply = async (_request, { onDelta }) => {
      onDelta({ type: "text", text: "half of it" });
      onDelta({ type: "reset" });
      onDelta({ type: "text", text: "All of it." });
      return { text: "All of it." };
    };
    const provider = scriptedProvider([taking]);
    const live: unknown[] = [];

    const { result } = await stage.drive([], { provider, onLive: (update) => live.push(update) });

    expect(live).toEqual([
      { type: "text", step: 1, text: "half of it" },
      { type: "reset", step: 1 },
      { type: "text", step: 1, text: "All of it." },
    ]);
    expect(result).toMatchObject({ text: "All of it.", usage: { totalTokens: 15 } });
  });

  it("reaches the handle's live updates", async () => {
    const taking: Reply = async (_request, { onDelta }) => {
      onDelta({ type: "reset" });
      return { text: "Done." };
    };
    const { handle } = stage.begin([taking]);
    const updates: string[] = [];
    for await (const { type } of handle.live) updates.push(type);

    expect(updates).toEqual(["reset"]);
    expect((await handle.result).outcome.type).toBe("finished");
  });
});
