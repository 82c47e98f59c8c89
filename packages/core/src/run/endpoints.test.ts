import { Policy } from "@harness/policy";
import { defineTool, type Provider } from "@harness/spec";
import { call, say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryStore } from "../store/memory-store.js";
import { only, openStage, rowsIn, statuses } from "./stage.test-support.js";

const stage = openStage();

const dialling = (...targets: readonly string[]) =>
  scriptedProvider([say("Done.")], { endpoints: targets.map((target) => ({ target })) });

describe("what a provider dials", () => {
  it("is allowed by naming the provider, though the policy says nothing of it", async () => {
    const { outcome } = await stage.drive([], { provider: dialling("api.example.com:443"), policy: Policy.standard() });

    expect(outcome.type).toBe("finished");
  });

  it.each<[what: string, policy: Policy, targets: readonly string[], refused: string]>([
    ["denies it", Policy.standard().denyNet("api.example.com"), ["api.example.com:443"], "api.example.com:443"],
    [
      "denies one that is only fallen back to",
      Policy.standard().denyNet("b.example.com"),
      ["a.example.com:443", "b.example.com:443"],
      "b.example.com:443",
    ],
    [
      "would have it asked about, when there is no call to ask about",
      Policy.standard().askNet("*"),
      ["api.example.com:443"],
      "api.example.com:443",
    ],
    [
      "denies it in other words",
      Policy.standard().denyNet("API.example.com."),
      ["api.example.com:443"],
      "api.example.com:443",
    ],
  ])(
    "ends the run as refused, before anything is asked, when the policy %s",
    async (_what, policy, targets, refused) => {
      const provider = dialling(...targets);

      const { outcome, events, store } = await stage.drive([], { provider, policy });

      expect(outcome).toEqual({ type: "refused", target: refused, steps: 0 });
      expect(provider.asked).toBe(0);
      expect(only(events, "act.refused")).toMatchObject([
        { step: 0, call: null, act: "net", target: refused, layer: "policy", reason: "rule" },
      ]);
      const rows = await rowsIn(store);
      expect((await stage.goOn(store, [say("Done.")], { policy: Policy.permissive() })).outcome).toEqual(outcome);
      expect(await rowsIn(store)).toEqual(rows);
    },
  );

  it("is asked of the policy again by a resume", async () => {
    const { store } = await stage.drive([call("none")], { contract: { limits: { maxSteps: 1 } } });
    const policy = Policy.permissive().denyNet("api.example.com");

    const { outcome } = await stage.goOn(store, [], {
      provider: dialling("api.example.com:443"),
      policy,
      limits: { maxSteps: 2 },
    });

    expect(outcome).toEqual({ type: "refused", target: "api.example.com:443", steps: 1 });
  });

  it("is not thereby open to tools", async () => {
    const fetch = defineTool({
      name: "fetch",
      description: "Fetches.",
      input: z.object({}),
      effect: "read",
      acts: async () => [{ type: "net", target: "api.example.com:443" }],
      invoke: async () => ({ text: "fetched" }),
    });
    const inner = scriptedProvider([call("fetch"), say("Done.")]);
    const provider: Provider = { ...inner, endpoints: [{ target: "api.example.com:443" }] };

    const { events } = await stage.drive([], { provider, tools: [fetch], policy: Policy.standard() });

    expect(statuses(events)).toEqual(["1.1: refused"]);
  });

  it("is a mistake in the options when it is no address, and leaves no run behind", async () => {
    const store = memoryStore();

    const driven = stage.drive([], { provider: dialling("no port"), store });

    await expect(driven).rejects.toMatchObject({ code: "config-invalid" });
    expect(await store.runs()).toEqual([]);
  });
});
