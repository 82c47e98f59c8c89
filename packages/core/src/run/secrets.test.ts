import { Policy } from "@harness/policy";
import { type Store, sha256, verifyTrace } from "@harness/spec";
import { call, fail, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { command } from "../contract/contract-input.js";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { reader, writer } from "../tools/tools.test-support.js";
import { deny } from "./answers.js";
import { only, openStage, rowsIn, theRun } from "./stage.test-support.js";

const stage = openStage();

const token = "ghp_0123456789abcdef";
const quoted = 'pass"word\\with\nmarks';
const plain = "not-secret-by-its-name";
const environment = {
  GITHUB_TOKEN: token,
  DB_PASSWORD: quoted,
  CUSTOMER: plain,
  SHORT_KEY: "abc",
  HOME: "/home/somebody",
};
const all = [token, quoted, plain, JSON.stringify(quoted).slice(1, -1)];

/** A store that keeps every blob it is given, as text. */
function watched(): { store: Store; blobs: string[] } {
  const inner = memoryStore();
  const blobs: string[] = [];
  const put: Store["blobs"]["put"] = (bytes) => {
    blobs.push(new TextDecoder().decode(bytes));
    return inner.blobs.put(bytes);
  };
  return { store: { ...inner, blobs: { ...inner.blobs, put } }, blobs };
}

/** Runs a script in which every secret stands wherever text can stand, and gives everything that was kept or shown. */
async function leakEverywhere() {
  const { store, blobs } = watched();
  const told: string[] = [];
  const leak = all.join(" ");
  const change = {
    path: `src/${token}.ts`,
    kind: "changed",
    added: 1,
    removed: 1,
    before: sha256("a"),
    after: sha256("b"),
    diff: `-${token}\n+${quoted}\n`,
  } as const;
  const tools = [
    reader("look", async () => ({ text: `${leak} ${JSON.stringify({ nested: JSON.stringify({ quoted }) })}` })),
    reader("broken", async () => {
      throw new Error(leak);
    }),
    writer("change", async (_input, { keep }) => {
      await keep("file", new TextEncoder().encode(leak));
      return { text: leak, changes: [change] };
    }),
    reader("long", async () => ({ text: `${leak}${"x".repeat(300_000)}` })),
  ];
  const driven = await stage.drive(
    [
      { ...call("look", { path: "a", [token]: [quoted, plain] }), text: leak, reasoning: leak },
      call("broken", { path: token }),
      [fail("server", { message: leak, vendorCode: token }), call("change", { path: "b" })],
      call("change", { path: `asked/${token}` }),
      call("long"),
      { calls: [{ name: "look", arguments: null, invalidArguments: leak }] },
      fail("auth", { message: `401: ${leak}` }),
    ],
    {
      tools,
      store,
      environment,
      secrets: ["CUSTOMER"],
      policy: Policy.permissive().askWrite("asked/*"),
      approver: { decide: async () => deny(leak) },
      sandbox: checkingSandbox({ exitCode: 1, stdout: { text: leak, elidedBytes: 0 } }),
      labels: { note: leak },
      contract: { goal: leak, constraints: [leak], limits: { retryBaseMs: 0 }, verify: command("echo", token) },
      observers: [{ onEvent: (_run, event) => told.push(JSON.stringify(event)) }],
    },
  );
  return { ...driven, told, blobs, kept: (await rowsIn(store)).map(({ facts, content }) => `${facts}${content}`) };
}

describe("a secret", () => {
  it("stands in no event, in no blob, in nothing an observer is told, and in no result", async () => {
    const { events, kept, blobs, told, result } = await leakEverywhere();

    const text = [
      ...kept,
      ...blobs,
      ...told,
      ...events.map((event) => JSON.stringify(event)),
      JSON.stringify(result),
    ].join("\n");
    expect(events.length).toBeGreaterThan(40);
    for (const secret of all) expect(text).not.toContain(secret);
    expect(text).toContain("[redacted:GITHUB_TOKEN]");
    expect(text).toContain("[redacted:DB_PASSWORD]");
    expect(text).toContain("[redacted:CUSTOMER]");
  });

  it("stands in no diff, and in no message of a failed attempt or run", async () => {
    const { events, outcome } = await leakEverywhere();

    const diffs = only(events, "tool.finished").flatMap(({ content }) => content?.diffs ?? []);
    expect(diffs).toEqual(["-[redacted:GITHUB_TOKEN]\n+[redacted:DB_PASSWORD]\n"]);
    expect(only(events, "completion.failed")[0]?.content?.message).toContain("[redacted:GITHUB_TOKEN]");
    expect(outcome).toMatchObject({
      type: "failed",
      error: { message: expect.stringContaining("401: [redacted:GITHUB_TOKEN]") },
    });
  });

  it("is not sent back to a model by a tool that showed it", async () => {
    const { provider } = await leakEverywhere();

    const sent = provider.requests.map(({ request }) => JSON.stringify(request)).join("\n");
    for (const secret of all) expect(sent).not.toContain(secret);
  });

  it("leaves a trace that verifies", async () => {
    const { store } = await leakEverywhere();

    expect(await verifyTrace(store, theRun)).toMatchObject({ type: "verified", emptied: 0 });
  });

  it("is not what a short value or a harmless name holds", async () => {
    const tool = reader("look", async () => ({ text: "abc and /home/somebody" }));
    const { events } = await stage.drive([call("look"), say("Done.")], { tools: [tool], environment });

    expect(only(events, "tool.finished")[0]?.content?.text).toBe("abc and /home/somebody");
  });

  it("is found in the process's own environment when none is given", async () => {
    process.env.HARNESS_TEST_TOKEN = token;
    try {
      const tool = reader("look", async () => ({ text: token }));
      const { handle, store } = stage.begin([call("look"), say("Done.")], {
        tools: [tool],
        environment: undefined as never,
      });
      await handle.result;

      expect(JSON.stringify(await rowsIn(store))).not.toContain(token);
    } finally {
      delete process.env.HARNESS_TEST_TOKEN;
    }
  });

  it("of a resume is kept out by that resume, whatever the first driver knew", async () => {
    const tool = reader("look", async () => ({ text: token }));
    const script = [call("look", { nth: 1 }), call("look", { nth: 2 }), say("Done.")];
    const first = await stage.drive(script, { tools: [tool], environment, contract: { limits: { maxSteps: 1 } } });

    const { events } = await stage.goOn(first.store, script, { tools: [tool], environment, limits: { maxSteps: 9 } });

    expect(JSON.stringify(events)).not.toContain(token);
  });
});
