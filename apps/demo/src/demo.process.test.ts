import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventOf, RunEvent, RunEventType } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatServer } from "./chat-server.test-support.js";
import { demo, type Home, harness, isBuilt, temporaryHome } from "./processes.test-support.js";

const minutes = 60_000;
const project = fileURLToPath(new URL("../project", import.meta.url));

function testsOf(folder: string): { readonly status: number | null; readonly output: string } {
  const copy = mkdtempSync(join(tmpdir(), "harness-talks-"));
  cpSync(folder, copy, { recursive: true });
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? copy };
  const { status, stdout } = spawnSync("npm", ["test"], { cwd: copy, env, encoding: "utf8" });
  rmSync(copy, { recursive: true });
  return { status, output: stdout };
}

function every<Type extends RunEventType>(events: readonly RunEvent[], type: Type): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

describe("the project that the demo repairs", () => {
  it(
    "fails one test of its own suite, before the demo touches it",
    () => {
      const { status, output } = testsOf(project);

      expect(status).not.toBe(0);
      expect(output).toMatch(/fail 1\b/);
    },
    minutes,
  );
});

describe.skipIf(!isBuilt)("the demo (skipped where dist/ is not built: run `npm run build`)", () => {
  let home: Home;
  let printed: string;
  let code: number | null;
  let events: readonly RunEvent[];

  beforeAll(async () => {
    home = temporaryHome();
    // A key is no reason to spend by it where somebody said not to.
    ({ code, output: printed } = await home.start([demo, "--offline"], { OPENAI_API_KEY: "set-and-unused" }).ended);
    events = await home.events();
  }, 2 * minutes);
  afterAll(() => home[Symbol.dispose]());

  it("ends in success, by its exit code and by its trace", () => {
    expect(code, printed).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "run.finished", ending: { type: "success" } });
  });

  it("says before it begins that a scripted model plays", () => {
    expect(printed.indexOf("SCRIPTED MODEL")).toBeGreaterThan(0);
    expect(printed.indexOf("SCRIPTED MODEL")).toBeLessThan(printed.indexOf("Step 1"));
  });

  it("has its first change refused, by rule and layer, on the screen as in the trace", () => {
    expect(every(events, "act.refused")).toMatchObject([
      { act: "write", target: "test/agenda.test.js", rule: "test/*", layer: "demo", reason: "rule" },
    ]);
    expect(printed).toContain('write test/agenda.test.js is denied by rule "test/*" of layer "demo"');
  });

  it("is told no by its check until it has found the cause", () => {
    expect(every(events, "gate.finished").map(({ result }) => result)).toEqual([...Array(4).fill("failed"), "passed"]);
    expect(every(events, "gate.unprotected")).toEqual([]);
  });

  it("reads two files side by side in one step", () => {
    const reads = every(events, "completion.finished")[2]?.calls;

    expect(reads?.map(({ name }) => name)).toEqual(["read_file", "read_file"]);
  });

  it("shows the change that is left, what was spent, and commands that work as they stand", () => {
    const id = every(events, "run.started")[0]?.run;

    expect(printed).toContain("src/agenda.js  +2 −1");
    expect(printed).not.toContain("src/duration.js  +");
    expect(printed).toMatch(/spend +5,100 tokens/);
    expect(printed).toContain(`npm run -s harness -- trace ${id}\n`);
    expect(printed).toContain(`npm run -s harness -- verify ${id}\n`);
  });

  it("leaves a repaired copy beside the store, and the original as it was", () => {
    const { workspace = "" } = every(events, "run.started")[0] ?? {};

    expect(workspace.startsWith(join(home.path, "demo"))).toBe(true);
    expect(existsSync(join(workspace, "package.json"))).toBe(true);
    expect(readFileSync(join(workspace, "src/duration.js"), "utf8")).toBe(
      readFileSync(join(project, "src/duration.js"), "utf8"),
    );
    expect(testsOf(workspace).status).toBe(0);
  }, 60_000);

  it("leaves a trace that verifies, and that can be read", async () => {
    const id = String(every(events, "run.started")[0]?.run);
    const verified = await home.start([harness, "verify", id]).ended;
    const traced = await home.start([harness, "trace", id]).ended;
    const lines = (await home.start([harness, "trace", id, "--json"]).ended).output.trimEnd().split("\n");

    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("verified") });
    expect(traced).toMatchObject({ code: 0, output: expect.stringContaining("check passed") });
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  }, 60_000);

  it("asks the endpoint that the environment names, and says beforehand that it costs", async () => {
    using another = temporaryHome();
    await using server = await chatServer();
    const env = { HARNESS_BASE_URL: server.baseUrl, HARNESS_MODEL: "m-1", HARNESS_API_KEY: "a-key-of-somebody" };

    const { code: live, output } = await another.start([demo], env).ended;

    expect(live, output).toBe(0);
    expect(server.asked()).toBe(1);
    expect(output.indexOf("A REAL MODEL plays: m-1")).toBeGreaterThan(0);
    expect(output.indexOf("charged by its vendor")).toBeLessThan(output.indexOf("Step 1"));
    expect(output + JSON.stringify(await another.events())).not.toContain("a-key-of-somebody");
  }, 60_000);

  it("takes --provider or --offline, and nothing else", async () => {
    expect((await home.start([demo, "--offline", "--provider", "x"]).ended).code).toBe(2);
    expect((await home.start([demo, "--online"]).ended).output).toContain("or --offline, and nothing else");
  });

  it("takes another model's module", async () => {
    const { code: wrong, output } = await home.start([demo, "--provider", "./no-such-model.mjs"]).ended;

    expect(wrong).toBe(2);
    expect(output).toContain("There is no provider module at");
  });
});
