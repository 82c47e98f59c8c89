import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { desk } from "./desk.test-support.js";

describe("harness doctor", () => {
  it("says that everything is here, what it looked at, and makes no store", async () => {
    using at = desk();
    const { code, printed, terminal } = await at.harness(["doctor"]);

    expect(code, printed).toBe(0);
    expect(printed.match(/^\S.*$/gm)).toEqual([
      "Node",
      "Store",
      "Sandbox",
      "Models",
      "Tools",
      "Terminal",
      "Environment",
      "Everything needed is here.",
    ]);
    expect(printed).toContain(`file         ${at.storePath}, not there yet\n`);
    expect(printed).toMatch(/✓ backend +\S+; `node --version` in it took \S+ m?s\n/);
    expect(printed).toMatch(/found .*\bnode \d+\.\d+\.\d+/);
    expect(readdirSync(at.folder)).toEqual(["repo"]);
    expect(terminal.isListening()).toBe(false);
  });

  it("prints one object with --json: whether all is well, what is not, and the facts of each section", async () => {
    using at = desk();
    const { code, printed } = await at.harness(["doctor", "--json"]);

    expect(code).toBe(0);
    expect(printed.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(printed)).toMatchObject({
      isReady: true,
      problems: [],
      node: { version: process.version, isSupported: true },
      store: { path: at.storePath, type: "makeable", bytes: null },
      sandbox: { enforces: { wall: true }, probe: { type: "ran" } },
      tools: { tools: expect.arrayContaining([expect.objectContaining({ name: "node", type: "found" })]) },
      terminal: { isTerminal: false },
      environment: { set: ["HARNESS_HOME"] },
    });
  });

  it("exits with 5 and ends with what is wrong and what to do, when runs cannot be driven", async () => {
    using at = desk();
    const store = at.file("not.db", "This is no database at all. ".repeat(99));
    const { code, printed } = await at.harness(["doctor", "--store", store]);

    expect(code).toBe(5);
    expect(printed.slice(printed.lastIndexOf("\n\n"))).toMatch(
      /^\n\nOne thing is wrong:\n {2}Store, access: .*not\.db.*\. Put it right as it says, or keep runs elsewhere: /,
    );
  });

  it("leaves with 130 at Ctrl-C, without a word", async () => {
    using at = desk();
    const { code, printed, terminal } = await at.harness(["doctor"], {
      onListen: ({ signal }) => queueMicrotask(() => signal("SIGINT")),
    });

    expect({ code, printed }).toEqual({ code: 130, printed: "" });
    expect(terminal.isListening()).toBe(false);
  });
});
