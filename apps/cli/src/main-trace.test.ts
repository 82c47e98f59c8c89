import { describe, expect, it } from "vitest";
import { damage } from "./damage.test-support.js";
import { type Desk, desk, openPolicy } from "./desk.test-support.js";
import { ran, touch, write } from "./runs.test-support.js";

describe("harness trace", () => {
  it("prints with --json exactly the events, one on each line", async () => {
    using at = desk();
    const { printed } = await at.harness(["trace", await ran(at), "--json"]);

    expect(printed.endsWith("\n")).toBe(true);
    expect(
      printed
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(await at.events());
  });

  it("tells the same story as the run did while it ran", async () => {
    using at = desk();
    const policy = at.file("policy.json", openPolicy);
    const write = { text: "So.", calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
    const live = await at.harness(["run", at.contract(), "--provider", at.provider([write]), "--policy", policy]);
    const { printed } = await at.harness(["trace", (await at.stored()).id]);
    const story = live.printed.slice(0, live.printed.indexOf("\nWhat it changed"));

    expect(printed.startsWith(story.trimEnd())).toBe(true);
    expect(printed).toContain("✓ write_file  write a.txt (allowed by the default)  +1 −0");
    expect(printed).toMatch(
      /\n {2}spend +30 tokens: 20 in, 10 out, over 2 completions\n {2}refusals +0\n {2}time +\S+ m?s\n$/,
    );
  });

  it("says that a log goes no further", async () => {
    using at = desk();
    await ran(at);
    const id = await at.cutAfter(({ type }) => type === "completion.started");

    const { printed } = await at.harness(["trace", id]);

    expect(printed).toContain("The log goes no further: the process that drove the run died.");
    expect(printed).toMatch(new RegExp(`go on +harness resume ${id}\n$`));
  });
});

const lines = (count: number, word = "line") =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

async function trace(at: Desk, id: string, ...flags: readonly string[]): Promise<string> {
  return (await at.harness(["trace", id, ...flags])).printed;
}

describe("how much a trace shows", () => {
  it("is one step, when one is asked for", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt"), write("b.txt"), write("c.txt"));
    const events = (await trace(at, id, "--step", "2", "--json")).trim().split("\n");

    expect(await trace(at, id, "--step", "2")).toMatch(/^\nStep 2 · at .*\n.*\n {2}✓ write_file {2}write b\.txt /);
    expect(await trace(at, id, "--step", "2")).not.toMatch(/Step [13]|a\.txt|c\.txt/);
    expect(events.map((line) => JSON.parse(line).step)).toEqual(events.map(() => 2));
    expect(await at.harness(["trace", id, "--step", "7"])).toMatchObject({
      code: 2,
      complained: expect.stringContaining(`Run ${id} has no step 7: its last is step 4.`),
    });
  });

  it("is the beginning of a long diff with a count and the way to the rest, the whole of it, or none", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt", lines(200)));
    const [usual, full, none] = [await trace(at, id), await trace(at, id, "--full"), await trace(at, id, "--no-diff")];

    expect(usual).toMatch(/\+line 5\d\n {6}… 14\d more lines \(--full shows them\)\n/);
    expect(full).toContain("      +line 199\n");
    expect(full).not.toContain("more lines");
    expect(none).toContain("✓ write_file  write a.txt (allowed by the default)  +200 −0");
    expect(none).not.toContain("+line 0");
  });

  it("is with --full also what was read, and how each command was run", async () => {
    using at = desk();
    at.file("repo/notes.txt", "first\nsecond\n");
    const read = { calls: [{ name: "read_file", arguments: { path: "notes.txt" } }] };
    const id = await ran(at, read, touch);
    const [usual, full] = [await trace(at, id), await trace(at, id, "--full")];

    expect(usual).toContain("✓ read_file  read notes.txt (allowed by the default)  2 lines\n");
    expect(usual).not.toContain("│ second");
    expect(full).toContain("      │ first\n      │ second\n");
    expect(full).toMatch(/· touch touched runs in \S+: workspace-write, network .*\n {6}· exited 0\n/);
  });

  it("is what happened without the words, where those are not kept", async () => {
    using at = desk();
    const id = await ran(at);
    for (const type of ["run.started", "completion.finished", "tool.finished"]) damage(at.storePath, type, "emptied");
    const printed = await trace(at, id, "--full");

    expect(printed).toContain("  goal      (not kept)\n");
    expect(printed).toContain("  ✓ write_file  write a.txt (allowed by the default)  +1 −0\n");
  });

  it("includes what is so long that it is kept beside the log", async () => {
    using at = desk();
    const text = lines(9_000, "a line that is as long as lines of a text are");
    const id = await ran(at, write("long.txt", text));
    const { events } = await at.stored();

    expect(events.some(({ content, contentHash }) => content === null && contentHash !== null)).toBe(true);
    expect(await trace(at, id, "--full")).toContain("+a line that is as long as lines of a text are 8999\n");
  });
});

describe("what a trace looks like", () => {
  it("has what was added in green and what was removed in red, where colours are wanted", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt", "old\n"), write("a.txt", "new\n"));
    const coloured = async (env: Record<string, string>, isTTY: boolean) => {
      const { printed } = await at.harness(["trace", id], { env, isTTY });
      return printed.includes("\x1b[32m+new\x1b[39m") && printed.includes("\x1b[31m-old\x1b[39m");
    };

    expect(await coloured({}, true)).toBe(true);
    expect(await coloured({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(await coloured({}, false)).toBe(false);
    expect(await coloured({ NO_COLOR: "1" }, true)).toBe(false);
    expect((await at.harness(["trace", id], { env: { NO_COLOR: "1" }, isTTY: true })).printed).not.toContain("\x1b");
  });

  it.each([40, 80, 120])("fits a terminal of %i columns", async (columns) => {
    using at = desk();
    const said = "I shall write down what I have found, since others have to read it after me. ".repeat(4);
    const id = await ran(at, { text: said, ...write("notes/what-was-found.txt", `${"wide ".repeat(60)}\n`) }, touch);
    const { printed } = await at.harness(["trace", id, "--full"], { isTTY: true, columns, env: { NO_COLOR: "1" } });
    const [title = ""] = printed.split("\n").filter((line) => line.includes("✓ write_file"));

    // The folder of the test and a run's id are one word each, and stay whole.
    const tooLong = printed.split("\n").filter((line) => line.length > columns && !line.includes("/"));
    expect(tooLong).toEqual([]);
    expect(title).toContain("+1 −0");
  });

  it("lets nothing that a model or a command wrote steer the terminal", async () => {
    using at = desk();
    const obeyed = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e";
    const calls = [
      { name: "exec", arguments: { argv: ["printf", `${obeyed}out`] } },
      { name: `${obeyed}no-tool`, arguments: {} },
      { name: "write_file", arguments: { path: `${obeyed}path`, content: `${obeyed}written\n` } },
    ];
    const policy = at.file("policy.json", openPolicy);
    const terminal = { isTTY: true, env: { NO_COLOR: "1" } };
    const provider = at.provider([{ text: `${obeyed}said`, calls }]);
    const live = await at.harness(["run", at.contract(), "--provider", provider, "--policy", policy], terminal);
    const { printed } = await at.harness(["trace", (await at.stored()).id, "--full"], terminal);

    expect(printed).toMatch(/said[\s\S]*out[\s\S]*no-tool[\s\S]*written/);
    // Its own status line is rewritten in place.
    const lines = live.printed.replaceAll("\r\x1b[2K", "");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that must not be there.
    expect(printed + lines).not.toMatch(/(?!\n)[\x00-\x1f\x7f-\x9f\u202e]/);
  });
});
