import { Policy } from "@harness/policy";
import type { JsonObject, Message } from "@harness/spec";
import { call, calls, fail, fakeClock, type Script, say, type TakenRequest } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { approve, deny } from "../run/answers.js";
import { only, openStage, rowsIn, statuses, storeWith } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";
import { faultsOf } from "./requests.test-support.js";

const stage = openStage();
const tools = [reader(), writer()];
const limits = { limits: { retryBaseMs: 0, maxSteps: 5 } };

describe("the requests of a run", () => {
  const script: Script = [
    calls(call("look"), call("no_such_tool"), call("change", { path: "secret" }), call("look", { path: 3 })),
    say("Two at once.", call("change", { path: "a" }), call("change", { path: "b" })),
    [fail("server"), say("Hm.")],
    call("look", { path: "c" }),
    say("Done."),
  ];
  const policy = Policy.permissive().layer("house").denyWrite("secret").askWrite("b");
  const overrides = {
    tools,
    policy,
    approver: { decide: async () => deny("not that one") },
    contract: { ...limits, verify: { type: "file-contains", path: "missing", text: "x" } },
  } as const;

  it("answer every call exactly once, in order, whatever became of it", async () => {
    const { provider, events } = await stage.drive(script, overrides);

    expect(statuses(events)).toEqual([
      ...["1.1: ok", "1.2: invalid", "1.3: refused", "1.4: invalid"],
      ...["2.1: ok", "2.2: refused"],
      "4.1: ok",
    ]);
    expect(faultsOf(provider.requests)).toEqual([]);
    expect(
      provider.requests
        .at(-1)
        ?.request.messages.map(({ role }) => role)
        .join(" "),
    ).toBe("user assistant results user assistant results user assistant user assistant results user");
  });

  it("are byte for byte those of a run that was never cut, wherever it was cut", async () => {
    const whole = await stage.drive(script, overrides);
    const expected = textsOf(whole.provider.requests);
    const rows = await rowsIn(whole.store);

    for (let kept = 1; kept < rows.length; kept += 1) {
      const again = await stage.goOn(await storeWith(rows, kept), script, overrides);

      for (const { turn, text } of textsOf(again.provider.requests)) {
        expect(text, `cut behind event ${kept}`).toBe(expected.find((other) => other.turn === turn)?.text);
      }
    }
  });

  it("only ever grow: each begins with the messages of the one before", async () => {
    const { provider } = await stage.drive(script, overrides);

    let before: readonly Message[] = [];
    for (const { request } of provider.requests) {
      expect(request.messages.slice(0, before.length)).toEqual(before);
      expect(request.cacheThrough).toBeLessThanOrEqual(request.messages.length);
      before = request.messages;
    }
  });

  it("hold no id, time or name of the run", async () => {
    const first = await stage.drive(script, overrides);
    const ids = { run: () => "another-run" as never, owner: () => "another" };
    const second = stage.begin(script, { ...overrides, ids, clock: fakeClock(9e12, { autoAdvance: true }) });
    await second.handle.result;

    expect(textsOf(second.provider.requests)).toEqual(textsOf(first.provider.requests));
  });

  it("repeat what the vendor gave to be repeated", async () => {
    const continuation = { provider: "scripted", model: "m", data: { signature: "s" } };
    const { provider } = await stage.drive(
      [{ calls: [{ name: "look", vendorId: "call_abc" }], text: "Let me look.", continuation }, say("Done.")],
      { tools, contract: { model: "m", maxOutputTokens: 99 } },
    );

    expect(provider.requests[1]?.request).toMatchObject({ model: "m", maxOutputTokens: 99 });
    expect(provider.requests[1]?.request.messages[1]).toEqual({
      role: "assistant",
      text: "Let me look.",
      calls: [{ id: "1.1", name: "look", arguments: {}, vendorId: "call_abc" }],
      continuation,
    });
  });
});

describe("a tool's name that a model makes up", () => {
  it.each([
    ["has NUL in it", "look\u0000\u0000me"],
    ["is 300 characters long", "x".repeat(300)],
    ["is empty", ""],
    ["has spaces and slashes", "functions/look at"],
    ["is in another script", "見る"],
  ])("and that %s is answered, and is never sent back as it was", async (_what, name) => {
    const { outcome, provider, events } = await stage.drive([calls(call(name), call("look")), say("Done.")], { tools });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(statuses(events)).toEqual(["1.1: invalid", "1.2: ok"]);
    expect(faultsOf(provider.requests)).toEqual([]);
    expect(only(events, "completion.finished")[0]?.calls[0]?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it("is not taken for a tool that its cleaned form happens to name", async () => {
    let sent = 0;
    const send = writer("send_mail", async () => void sent++, { recovery: "indeterminate" });

    const { events } = await stage.drive([call("send\u0000mail"), say("Done.")], { tools: [send] });

    expect(statuses(events)).toEqual(["1.1: invalid"]);
    expect(sent).toBe(0);
  });

  it("such as a wrapper of several calls costs that call only: its siblings are made", async () => {
    const wrapped = { tool_uses: [{ recipient_name: "functions.look", parameters: {} }] };
    const { events, provider } = await stage.drive(
      [calls(call("look"), call("multi_tool_use.parallel", wrapped)), say("")],
      {
        tools,
      },
    );

    expect(statuses(events)).toEqual(["1.1: ok", "1.2: invalid"]);
    const results = provider.requests[1]?.request.messages.at(-1);
    expect(results).toMatchObject({
      results: [{ content: "seen" }, { isError: true, content: expect.stringContaining("look, change") }],
    });
  });
});

describe("arguments", () => {
  const words: JsonObject = {
    path: "file",
    emoji: "😀👩‍👩‍👧‍👦🏳️‍🌈",
    han: "𠀀𪜀",
    nested: [{ "ключ\u2028": '\u0000\\"\t' }],
    number: 1e21,
  };

  it("reach the tool, the log and the model again as they were written, over a resume", async () => {
    const seen: unknown[] = [];
    const tool = reader("look", async (input) => void seen.push(input));
    const script = [call("look", words), call("look", words), say("Done.")];
    const contract = { limits: { maxSteps: 1 } };
    const { store, events } = await stage.drive(script, { tools: [tool], contract });

    const again = await stage.goOn(store, script, { tools: [tool], limits: { maxSteps: 3 } });

    const bytes = JSON.stringify(words);
    expect(seen.map((input) => JSON.stringify(input))).toEqual([bytes, bytes]);
    expect(JSON.stringify(only(events, "completion.finished")[0]?.content?.calls[0]?.arguments)).toBe(bytes);
    const sent = again.provider.requests
      .at(-1)
      ?.request.messages.flatMap((message) => ("calls" in message ? message.calls : []));
    expect(sent?.map((made) => JSON.stringify(made.arguments))).toEqual([bytes, bytes]);
  });

  it("are the log's: what a tool does to those it was handed changes nothing that is sent later", async () => {
    const asIs = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
    const tool = reader("look", async (input) => void Object.assign(input, { path: "elsewhere" }), {
      input: asIs,
      parameters: {},
      acts: async () => [],
    });

    const { provider } = await stage.drive([call("look", { path: "here" }), say("Done.")], { tools: [tool] });

    expect(provider.requests[1]?.request.messages[1]).toMatchObject({ calls: [{ arguments: { path: "here" } }] });
  });

  it("with half a character in them are made whole, everywhere alike", async () => {
    const seen: unknown[] = [];
    const tool = reader("look", async ({ text }) => void seen.push(text));
    const { events, provider } = await stage.drive([call("look", { text: "a\ud83d" }), say("Done.")], {
      tools: [tool],
    });

    expect(seen).toEqual(["a\ufffd"]);
    expect(only(events, "completion.finished")[0]?.content?.calls[0]?.arguments).toEqual({ text: "a\ufffd" });
    expect(provider.requests[1]?.request.messages[1]).toMatchObject({ calls: [{ arguments: { text: "a\ufffd" } }] });
  });

  it("that are no object are an answer to the model, who is shown what it wrote", async () => {
    const bad = { calls: [{ name: "look", arguments: null, invalidArguments: '{"path": "a' }] };
    const { events, provider } = await stage.drive([bad, say("Done.")], { tools });

    expect(statuses(events)).toEqual(["1.1: invalid"]);
    expect(provider.requests[1]?.request.messages.slice(1)).toMatchObject([
      { calls: [{ arguments: null, invalidArguments: '{"path": "a' }] },
      { results: [{ isError: true, content: expect.stringContaining('{"path": "a') }] },
    ]);
  });
});

describe("results", () => {
  it("of one denied call among three are all there, before and after a restart", async () => {
    const script = [
      calls(call("change", { path: "a" }), call("change", { path: "b" }), call("change", { path: "c" })),
      say(""),
    ];
    const policy = Policy.permissive().defaults({ write: "ask" });
    const decide = async ({ input }: { input: JsonObject }) => (input.path === "b" ? deny("not b") : approve());
    const { provider, store } = await stage.drive(script, { tools, policy, approver: { decide } });
    const rows = await rowsIn(store);

    const expected = [
      { call: "1.1", content: "done" },
      { call: "1.2", isError: true, content: expect.stringContaining("not b") },
      { call: "1.3", content: "done" },
    ];
    expect(provider.requests[1]?.request.messages.at(-1)).toEqual({ role: "results", results: expected });
    for (let kept = 5; kept < rows.length - 4; kept += 1) {
      const again = await stage.goOn(await storeWith(rows, kept), script, { tools, approver: { decide } });
      expect(again.provider.requests.at(-1)?.request.messages.at(-1)).toEqual({ role: "results", results: expected });
    }
  });
});

function textsOf(requests: readonly TakenRequest[]) {
  return requests.map(({ turn, request }) => ({ turn, text: JSON.stringify(request) }));
}
