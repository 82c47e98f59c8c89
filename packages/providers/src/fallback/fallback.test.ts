import {
  type Completion,
  type CompletionRequest,
  ConfigError,
  type Delta,
  type Provider,
  ProviderError,
} from "@harness/spec";
import { fail, hang, type Reply, say, scriptedProvider, stream } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { type FallbackLink, fallback } from "./fallback.js";

const request: CompletionRequest = { system: "", messages: [{ role: "user", text: "Hi." }], tools: [] };
const usage = { promptTokens: 9, completionTokens: 1, totalTokens: 10 };
const billed = { ...usage, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

const named = (name: string, reply: Reply, model = `${name}-model`) =>
  scriptedProvider([], { name, model, rest: reply });

async function ask(provider: Provider, more: Partial<CompletionRequest> = {}, signal = new AbortController().signal) {
  const deltas: Delta[] = [];
  const onDelta = (delta: Delta) => deltas.push(delta);
  const settled: { completion?: Completion; error?: unknown } = await provider
    .complete({ ...request, ...more }, { signal, onDelta })
    .then(
      (completion) => ({ completion }),
      (error: unknown) => ({ error }),
    );
  return { ...settled, deltas };
}

describe("a fallback", () => {
  it("asks the first and nobody else when it answers", async () => {
    const [a, b] = [named("a", say("From a.")), named("b", say("From b."))];
    const { completion } = await ask(fallback(a, b));
    expect(completion).toMatchObject({ text: "From a.", servedBy: "a" });
    expect(completion).not.toHaveProperty("failedLinks");
    expect(b.asked).toBe(0);
  });

  it.each(["transport", "timeout", "rate-limited", "server", "malformed", "quota"] as const)(
    "asks each link once, in order, when the one before fails as %s",
    async (kind) => {
      const failing = fail(kind, { message: "Down.", status: 503, vendorCode: "busy", usage: billed });
      const [a, b, c] = [named("a", failing), named("b", fail(kind)), named("c", say("From c."))];
      const { completion } = await ask(fallback(a, b, c));
      expect([a.asked, b.asked, c.asked]).toEqual([1, 1, 1]);
      expect(completion).toMatchObject({ text: "From c.", servedBy: "c" });
      expect(completion?.failedLinks).toEqual([
        { provider: "a", kind, message: "Down.", status: 503, vendorCode: "busy", model: "a-model", usage: billed },
        { provider: "b", kind, message: expect.any(String), model: "b-model" },
      ]);
    },
  );

  it.each(["context-overflow", "auth", "request"] as const)("lets nobody hide a failure as %s", async (kind) => {
    const failure = new ProviderError(kind, "a", "No.");
    const b = named("b", say("From b."));
    const { error } = await ask(fallback(named("a", fail(failure)), b));
    expect(error).toBe(failure);
    expect(b.asked).toBe(0);
  });

  it("begins with the first again in the next completion", async () => {
    const a = scriptedProvider([[fail("server"), say("From a.")]], { name: "a" });
    const chain = fallback(a, named("b", say("From b.")));
    expect((await ask(chain)).completion?.servedBy).toBe("b");
    expect((await ask(chain)).completion).toMatchObject({ text: "From a.", servedBy: "a" });
  });

  it("fails as the last link does, and tells of those before it", async () => {
    const last = fail("rate-limited", { retryAfterMs: 3_000, status: 429, usage: billed, message: "Slow down." });
    const { error } = await ask(fallback(named("a", fail("quota", { message: "Empty." })), named("b", last)));
    expect(error).toMatchObject({
      ...{ kind: "rate-limited", provider: "b", message: "Slow down.", isRetryable: true, retryAfterMs: 3_000 },
      ...{ status: 429, usage: billed },
      failedLinks: [{ provider: "a", kind: "quota", message: "Empty.", model: "a-model" }],
    });
  });

  it("keeps what a vendor knew about trying again", async () => {
    const last = fail("server", { isRetryable: false });
    const { error } = await ask(fallback(named("a", fail("server")), named("b", last)));
    expect(error).toMatchObject({ isRetryable: false });
  });

  it("falls over from what is no error of ours, and not from a request that a link cannot express", async () => {
    const socket = fallback(named("a", fail(new Error("socket hang up"))), named("b", say("From b.")));
    const { completion } = await ask(socket);
    expect(completion?.failedLinks).toMatchObject([
      { provider: "a", kind: "transport", message: "a failed: socket hang up" },
    ]);

    const alone = fallback(named("a", fail(new Error("socket hang up"))));
    expect((await ask(alone)).error).toMatchObject({ code: "provider-failed", kind: "transport", isRetryable: true });

    const refusal = new ConfigError("No schemas.");
    expect((await ask(fallback(named("a", fail(refusal)), named("b", say(""))))).error).toBe(refusal);
    const { error } = await ask(fallback(named("a", fail("server")), named("b", fail(refusal))));
    expect(error).toMatchObject({ kind: "request", provider: "b", cause: refusal, failedLinks: [{ provider: "a" }] });
  });
});

describe("what a fallback shows", () => {
  it("is taken back before another link streams, and never joined to it", async () => {
    const a = named("a", fail("transport", { after: ["On", "ce "] }));
    const { deltas, completion } = await ask(fallback(a, named("b", stream("Once", " more."))));
    expect(completion?.text).toBe("Once more.");
    expect(deltas).toEqual([
      { type: "text", text: "On" },
      { type: "text", text: "ce " },
      { type: "reset" },
      { type: "text", text: "Once" },
      { type: "text", text: " more." },
    ]);
  });

  it("is not taken back when there is nothing", async () => {
    const { deltas } = await ask(fallback(named("a", fail("server")), named("b", stream("Yes."))));
    expect(deltas).toEqual([{ type: "text", text: "Yes." }]);
  });

  it("has nothing of a link that streams on behind its failure", async () => {
    let late = () => {};
    const dying: Provider = {
      ...{ spec: 1, name: "a", endpoints: [] },
      complete: (_request, { onDelta }) => {
        late = () => onDelta?.({ type: "text", text: "late" });
        return Promise.reject(new ProviderError("transport", "a", "Gone."));
      },
    };
    const answer: Reply = async (_request, { onDelta }) => {
      late();
      onDelta({ type: "text", text: "Yes." });
      return say("Yes.");
    };
    const { deltas } = await ask(fallback(dying, named("b", answer)));
    expect(deltas).toEqual([{ type: "text", text: "Yes." }]);
  });
});

describe("a fallback that is cancelled", () => {
  it("asks nobody else", async () => {
    const stop = new AbortController();
    const b = named("b", say("From b."));
    const asked = ask(fallback(named("a", hang("On")), b), {}, stop.signal);
    stop.abort();
    expect((await asked).error).toMatchObject({ kind: "cancelled" });
    expect(b.asked).toBe(0);
  });

  it("asks nobody else when the first has just failed for a reason of its own", async () => {
    const stop = new AbortController();
    const b = named("b", say("From b."));
    const dying: Reply = () => {
      stop.abort();
      throw new ProviderError("transport", "a", "Gone.");
    };
    const { error } = await ask(fallback(named("a", dying), b), {}, stop.signal);
    expect(error).toMatchObject({ kind: "cancelled", failedLinks: [{ provider: "a", kind: "transport" }] });
    expect(b.asked).toBe(0);
  });
});

describe("the model of a request", () => {
  const answer = say("Yes.");
  const asks = async (second: (b: Provider) => Provider | FallbackLink, model: string) => {
    const [a, b] = [named("a", fail("server")), named("b", answer)];
    await ask(fallback(a, second(b)), { model });
    return [a, b].map(({ requests }) => requests[0]?.request.model);
  };

  it("is one of the first link alone", async () => {
    expect(await asks((b) => b, "large")).toEqual(["large", undefined]);
  });

  it("is another one where a link says so", async () => {
    const mapped = (provider: Provider) => ({ provider, models: { large: "grande" } });
    expect(await asks(mapped, "large")).toEqual(["large", "grande"]);
    expect(await asks(mapped, "small")).toEqual(["small", undefined]);
    expect(await asks(mapped, "toString")).toEqual(["toString", undefined]);
  });
});

describe("a fallback as a provider", () => {
  it("has the names and the addresses of all links, and only what all of them can", () => {
    const link = (name: string, target: string, acceptsImages: boolean): Provider => ({
      ...{ spec: 1, name, model: `${name}-model`, endpoints: [{ target }, { target: "x:443" }], acceptsImages },
      complete: () => Promise.reject(new ProviderError("server", name, "Down.")),
    });
    const [a, b] = [link("a", "a:443", true), link("b", "b:443", false)];
    const { name, model, endpoints, acceptsImages } = fallback(a, b);
    expect({ name, model, endpoints, acceptsImages }).toEqual({
      ...{ name: "a -> b", model: "a-model", acceptsImages: false },
      endpoints: [{ target: "a:443" }, { target: "x:443" }, { target: "b:443" }],
    });
    expect(fallback(a, { provider: a }).acceptsImages).toBe(true);
  });

  it("may stand in another, which names the one that answered and all that failed", async () => {
    const inner = fallback(named("b", fail("server")), named("c", fail("quota")));
    const { completion } = await ask(
      fallback(named("a", fail("timeout")), inner, fallback(named("d", say("From d.")))),
    );
    expect(completion?.servedBy).toBe("d");
    expect(completion?.failedLinks?.map(({ provider, kind }) => [provider, kind])).toEqual([
      ["a", "timeout"],
      ["b", "server"],
      ["c", "quota"],
    ]);
  });
});
