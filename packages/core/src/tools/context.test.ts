import { Policy } from "@harness/policy";
import { sha256, type ToolContext } from "@harness/spec";
import { call, calls, fakeClock, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { only, openStage, rowsIn, storeWith, typesOf } from "../run/stage.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { reader, slowStore, writer } from "./tools.test-support.js";

const stage = openStage();
const bytes = (text: string) => new TextEncoder().encode(text);
const binary = new Uint8Array([0xff, 0xfe, 0x00, 0x80]);

describe("what a tool is told", () => {
  it("is where it is, who it is, and what it was granted", async () => {
    const seen: Partial<ToolContext>[] = [];
    const tool = reader("look", async (_input, { runId, call: id, workspace, granted, env, execTimeoutMs }) => {
      seen.push({ runId, call: id, workspace, granted, env, execTimeoutMs });
    });

    await stage.drive([call("look", { path: "a" }), say("Done.")], {
      tools: [tool],
      policy: new Policy().layer("mine").allowRead("*"),
      contract: { env: ["CI"], limits: { execTimeoutMs: 1_234 } },
    });

    expect(seen).toEqual([
      {
        runId: "the-run",
        call: "1.1",
        workspace: stage.root,
        granted: [{ act: { type: "read", target: "a" }, verdict: { effect: "allow", rule: "*", layer: "mine" } }],
        env: ["CI"],
        execTimeoutMs: 1_234,
      },
    ]);
  });

  it("is a key of its own for every call, the same however often a call is made", async () => {
    const keys: string[] = [];
    const tool = writer("charge", async (_input, { id }) => void keys.push(id));
    const script = [
      calls(call("charge", { cents: 5 }), call("charge", { cents: 5 })),
      call("charge", { cents: 5 }),
      say(""),
    ];
    const { events, store } = await stage.drive(script, { tools: [tool] });
    expect(keys).toEqual(["the-run/1.1", "the-run/1.2", "the-run/2.1"]);

    const second = only(events, "tool.started")[1];
    await stage.goOn(await storeWith(await rowsIn(store), second?.seq), script, { tools: [tool] });

    expect(keys.slice(3)).toEqual(["the-run/1.2", "the-run/2.1"]);
  });
});

describe("a path", () => {
  it("is visible when it may be read outright, and not when someone would have to be asked", async () => {
    const seen: unknown[] = [];
    const tool = reader("look", async (_input, { visible }) => {
      for (const path of ["open.ts", "draft.ts", "secret.ts", "SECRET.ts", "../out", "a\u0000b"])
        seen.push(visible(path));
      seen.push(visible("SECRET.ts", { foldsCase: true }));
    });
    const policy = new Policy().layer("house").allowRead("*").askRead("draft*").denyRead("secret*");

    await stage.drive([call("look", { path: "open.ts" }), say("Done.")], { tools: [tool], policy });

    expect(seen).toEqual([true, false, false, true, false, false, false]);
  });

  it("is visible alike to a tool that still looks", async () => {
    const seen: boolean[] = [];
    const tool = reader("look", undefined, {
      async acts(_input, { visible, granted }) {
        seen.push(visible("open.ts"), visible("secret.ts"), granted.length === 0);
        return [];
      },
    });

    await stage.drive([call("look"), say("")], { tools: [tool], policy: Policy.permissive().denyRead("secret*") });

    expect(seen).toEqual([true, false, true]);
  });
});

describe("what was there before", () => {
  it("is kept once for each path, before it is changed for the first time, and can be looked up", async () => {
    const found: unknown[] = [];
    const tool = writer("change", async ({ path, was }, { keep, kept }) => {
      found.push(await kept(String(path)));
      await keep(String(path), was === null ? null : bytes(String(was)));
      found.push(await kept(String(path)));
    });
    const script = [
      calls(call("change", { path: "a", was: "one\r\n" }), call("change", { path: "new", was: null })),
      call("change", { path: "a", was: "two" }),
      say("Done."),
    ];

    const { events } = await stage.drive(script, { tools: [tool] });

    expect(only(events, "file.kept")).toMatchObject([
      { call: "1.1", path: "a", state: "text", digest: sha256("one\r\n"), bytes: 5, content: { text: "one\r\n" } },
      { call: "1.2", path: "new", state: "absent", digest: null, bytes: 0, content: { text: null } },
    ]);
    expect(found).toEqual([undefined, bytes("one\r\n"), undefined, null, bytes("one\r\n"), bytes("one\r\n")]);
  });

  it("is durable before the change", async () => {
    const inner = memoryStore();
    const found: string[][] = [];
    const tool = writer("change", async (_input, { keep }) => {
      await keep("a", bytes("one"));
      found.push((await rowsIn(inner)).map(({ facts }) => facts.slice(9, 18)));
    });

    await stage.drive([call("change"), say("Done.")], { tools: [tool], store: slowStore(inner) });

    expect(found[0]?.at(-1)).toBe("file.kept");
  });

  it.each([
    ["bytes that are no text", binary, "binary"],
    ["text behind a byte order mark", bytes("\ufeffone"), "text"],
    ["nothing in a file", bytes(""), "text"],
  ])("comes back as it was: %s", async (_what, was, state) => {
    const found: unknown[] = [];
    const tool = writer("change", async (_input, { keep, kept }) => {
      await keep("a", was);
      found.push(await kept("a"));
    });
    const script = [call("change"), call("change"), say("Done.")];
    const { events, store } = await stage.drive(script, { tools: [tool], contract: { limits: { maxSteps: 1 } } });
    await stage.goOn(store, script, { tools: [tool], limits: { maxSteps: 5 } });

    expect(found).toEqual([was, was]);
    expect(only(events, "file.kept")).toMatchObject([{ state, digest: sha256(was), bytes: was.length }]);
  });

  it("never comes back as something else, though the log may not hold a secret that is in it", async () => {
    const was = bytes("PASSWORD=open sesame please\n");
    const found: (Uint8Array | null | undefined)[] = [];
    const tool = writer("change", async (_input, { keep, kept }) => {
      await keep(".env", was);
      found.push(await kept(".env"));
    });

    await stage.drive([call("change"), say("Done.")], {
      tools: [tool],
      environment: { APP_PASSWORD: "open sesame please" },
    });

    expect([was, undefined]).toContainEqual(found[0]);
  });
});

describe("a command that a tool runs", () => {
  const command = { argv: ["npm", "test"], cwd: "/" } as const;

  it("is in the trace with what ran it and how it ended", async () => {
    const sandbox = checkingSandbox({ exitCode: null, signal: "SIGKILL", capHit: "wall" });
    const tool = writer(
      "exec",
      async (_input, context) => void (await context.sandbox.run({ ...command, argv: ["npm", "test"] })),
    );

    const { events } = await stage.drive([call("exec"), say("Done.")], { tools: [tool], sandbox });

    expect(events.filter(({ type }) => type.startsWith("sandbox."))).toMatchObject([
      {
        type: "sandbox.started",
        owner: "1.1",
        backend: "double",
        mode: "workspace-write",
        egress: "allow",
        argv: ["npm", "test"],
      },
      { type: "sandbox.cap-hit", owner: "1.1", cap: "wall" },
      { type: "sandbox.finished", owner: "1.1", backend: "double", exitCode: null, signal: "SIGKILL", stopped: null },
    ]);
  });

  it("is ended with its call", async () => {
    const stop = new AbortController();
    const sandbox = checkingSandbox(async ({ signal }) => {
      queueMicrotask(() => stop.abort("enough"));
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      return { stopped: "cancelled" };
    });
    const tool = writer("exec", async (_input, context) => {
      const outcome = await context.sandbox.run({ ...command, argv: ["sleep", "60"] });
      return { text: `exit ${outcome.exitCode}` };
    });

    const { outcome, events } = await stage.drive([call("exec")], { tools: [tool], sandbox, signal: stop.signal });

    expect(outcome).toMatchObject({ type: "cancelled" });
    expect(only(events, "tool.finished")).toMatchObject([{ status: "cancelled" }]);
  });

  it("has its own time: the call's stands still meanwhile", async () => {
    const clock = fakeClock();
    const sandbox = checkingSandbox(async () => {
      await clock.advance(60_000);
      return 0;
    });
    const tool = writer(
      "exec",
      async (_input, context) => void (await context.sandbox.run({ ...command, argv: ["make"] })),
    );

    const { events } = await stage.drive([call("exec"), say("Done.")], {
      tools: [tool],
      sandbox,
      clock,
      contract: { limits: { toolTimeoutMs: 5_000 } },
    });

    expect(only(events, "tool.finished")).toMatchObject([{ status: "ok" }]);
  });

  it("does not run where no sandbox was given, and the model is told so", async () => {
    const tool = writer(
      "exec",
      async (_input, context) => void (await context.sandbox.run({ ...command, argv: ["ls"] })),
    );

    const { events, outcome } = await stage.drive([call("exec"), say("Done.")], { tools: [tool] });

    expect(outcome.type).toBe("finished");
    expect(only(events, "tool.finished")).toMatchObject([
      { status: "error", content: { text: expect.stringContaining("no sandbox") } },
    ]);
    expect(typesOf(events)).not.toContain("sandbox.finished");
  });
});
