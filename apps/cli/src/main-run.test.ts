import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { desk, type ModuleReply, openPolicy } from "./desk.test-support.js";

const write = (path: string, content: string): ModuleReply => ({
  calls: [{ name: "write_file", arguments: { path, content } }],
});
const answer = { type: "file-equals", path: "answer.txt", text: "42\n" };

describe("harness run", () => {
  it("exits with 0 when the check passed, and says what was done and how to look at it", async () => {
    using at = desk();
    const contract = at.contract({ verify: answer });
    const policy = at.file("policy.json", openPolicy);
    const provider = at.provider([write("answer.txt", "41\n"), write("answer.txt", "42\n")]);

    const { code, printed, terminal } = await at.harness(["run", contract, "--provider", provider, "--policy", policy]);
    const [started] = await at.events();

    expect(code).toBe(0);
    expect(readFileSync(join(at.folder, "repo/answer.txt"), "utf8")).toBe("42\n");
    expect(printed).toContain("success after 2 steps");
    expect(printed).toContain("✗ check failed");
    expect(printed).toContain("✓ check passed");
    expect(printed).toContain("      +42");
    expect(started).toMatchObject({ labels: { provider: pathToFileURL(join(at.folder, provider)).href } });
    expect(printed).toContain(`harness trace ${started?.type === "run.started" && started.run}\n`);
    expect(terminal.isListening()).toBe(false);
  });

  it("exits with 0 when there was no check and the model answered", async () => {
    using at = desk();
    const { code, printed } = await at.harness([
      "run",
      at.contract(),
      "--provider",
      at.provider([{ text: "It is 42." }]),
    ]);

    expect(code).toBe(0);
    expect(printed).toContain("  It is 42.");
    expect(printed).toContain("finished after 1 step");
  });

  it("exits with 1 when a budget is used up, and offers more of it", async () => {
    using at = desk();
    const contract = at.contract({ verify: answer, limits: { maxSteps: 1 } });
    const { code, printed } = await at.harness(["run", contract, "--provider", at.provider([])]);

    expect(code).toBe(1);
    expect(printed).toMatch(/go on +harness resume \S+ --max-steps 2\n/);
  });

  it("exits with 1 when it goes round in circles", async () => {
    using at = desk();
    const again: ModuleReply = { calls: [{ name: "list_dir", arguments: {} }] };
    const contract = at.contract({ limits: { stallWindow: 2, maxReplans: 0 } });
    const { code, printed } = await at.harness(["run", contract, "--provider", at.provider(Array(6).fill(again))]);

    expect(code).toBe(1);
    expect(printed).toContain("stalled after");
    expect(printed).not.toContain("go on");
  });

  it("exits with 3 when it may not go on without somebody, whom it tells what is asked and how to answer", async () => {
    using at = desk();
    const { code, printed } = await at.harness([
      "run",
      at.contract(),
      "--provider",
      at.provider([write("a.txt", "x")]),
    ]);

    expect(code).toBe(3);
    expect(printed).toContain("? write_file asks to write a.txt (asked for by the default)");
    expect(printed).toMatch(/harness resume \S+ --approve\n/);
    expect(printed).toMatch(/harness resume \S+ --deny 'why not'\n/);
    expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(false);
  });

  it("exits with 4 when its policy denies the provider's own host", async () => {
    using at = desk();
    const rules = [{ act: "net", effect: "deny", pattern: "*" }];
    const policy = at.file("policy.json", { ...openPolicy, layers: [{ name: "offline", rules }] });
    const provider = at.provider([], ["api.example.com:443"]);
    const { code, printed } = await at.harness(["run", at.contract(), "--provider", provider, "--policy", policy]);

    expect(code).toBe(4);
    expect(printed).toContain('the run refused  net api.example.com:443 is denied by rule "*" of layer "offline"');
  });

  it("exits with 5 when the provider gives up, with its words", async () => {
    using at = desk();
    const contract = at.contract({ limits: { maxRetries: 1, retryBaseMs: 1 } });
    const { code, printed } = await at.harness(["run", contract, "--provider", at.provider([{ throws: "no route" }])]);

    expect(code).toBe(5);
    expect(printed).toContain("no route; asked again in 1 ms");
    expect(printed).toMatch(/failed after 0 steps: .*no route/);
  });

  it("exits with 130 when it is told to stop, and says how to go on; a second wish leaves at once", async () => {
    using at = desk();
    const { code, printed, complained, terminal } = await at.harness(
      ["run", at.contract(), "--provider", at.provider([{ hangs: true }])],
      {
        onOut(text, { signal }) {
          if (!text.includes("Step 1")) return;
          signal("SIGTERM");
          signal("SIGINT");
        },
      },
    );

    expect(code).toBe(130);
    expect(printed).toContain("cancelled after 0 steps: stopped by SIGTERM");
    expect(printed).toMatch(/go on +harness resume \S+\n/);
    expect(terminal.exits).toEqual([130]);
    expect(complained).toMatch(/^To go on with this run: harness resume \S+\n$/);
  });

  it("keeps its runs in the store it is given, and names it in every command it prints", async () => {
    using at = desk();
    const { code, printed } = await at.harness([
      "run",
      at.contract(),
      "--provider",
      at.provider([]),
      "--store",
      "here.db",
    ]);

    expect(code).toBe(0);
    expect(existsSync(at.storePath)).toBe(false);
    expect(printed).toMatch(new RegExp(`harness verify \\S+ --store ${join(at.folder, "here.db")}\n`));
  });

  it("runs nothing while a file in its place cannot be a store, and says so by the store's own error", async () => {
    using at = desk();
    const store = at.file("not.db", "This is not a database, and longer than a header of one would be. ".repeat(20));
    const { code, complained } = await at.harness([
      "run",
      at.contract(),
      "--provider",
      at.provider([]),
      "--store",
      store,
    ]);

    expect(code).toBe(5);
    expect(complained).toContain("not.db");
    expect(complained.trim().split("\n")).toHaveLength(1);
  });
});
