import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Desk, desk, openPolicy } from "./desk.test-support.js";
import { ran, touch, write } from "./runs.test-support.js";

const path = (at: Desk, name: string) => join(at.folder, "repo", name);

/** A run that changed a file, made one, and ran a command. */
async function worked(at: Desk): Promise<string> {
  writeFileSync(path(at, "a.txt"), "before\n");
  const read = { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] };
  return ran(at, read, write("a.txt", "after\n"), write("b.txt", "new\n"), touch);
}

describe("harness rewind", () => {
  it("puts back every file with --all, and says what it cannot take back", async () => {
    using at = desk();
    const id = await worked(at);
    const { code, printed } = await at.harness(["rewind", id, "--all"]);

    expect({ code, printed }).toEqual({
      code: 0,
      printed:
        "✓ a.txt is as it was before the run\n✓ b.txt is gone, which the run had made\nNot undone: what 1 command did.\n",
    });
    expect(readFileSync(path(at, "a.txt"), "utf8")).toBe("before\n");
    expect(existsSync(path(at, "b.txt"))).toBe(false);
  });

  it("leaves a file alone that somebody has changed since, unless it is forced", async () => {
    using at = desk();
    const id = await worked(at);
    writeFileSync(path(at, "a.txt"), "mine\n");
    const careful = await at.harness(["rewind", id, "--path", "a.txt"]);
    const kept = readFileSync(path(at, "a.txt"), "utf8");
    const forced = await at.harness(["rewind", id, "--path", "a.txt", "--force", "--json"]);

    expect(careful).toMatchObject({ code: 1, printed: expect.stringContaining("--force undoes that, too") });
    expect(kept).toBe("mine\n");
    expect(JSON.parse(forced.printed)).toEqual({ path: "a.txt", type: "restored" });
    expect(forced.code).toBe(0);
  });

  it("takes out what one step did", async () => {
    using at = desk();
    const id = await worked(at);
    const undone = await at.harness(["rewind", id, "--step", "2"]);
    const again = await at.harness(["rewind", id, "--step", "2"]);
    const content = readFileSync(path(at, "a.txt"), "utf8");
    writeFileSync(path(at, "a.txt"), "mine\n");
    const moved = await at.harness(["rewind", id, "--step", "2"]);
    const nothing = await at.harness(["rewind", id, "--step", "1"]);

    expect(undone).toMatchObject({ code: 0, printed: "✓ a.txt is without the changes of step 2\n" });
    expect(content).toBe("before\n");
    expect(again).toMatchObject({ code: 0, printed: undone.printed });
    expect(moved).toMatchObject({ code: 1, printed: expect.stringContaining("has moved on since step 2") });
    expect(nothing).toMatchObject({ code: 1, printed: expect.stringContaining("nothing was undone: ") });
  });

  it("exits with 4 where the policy wants it asked about, says how to mean it, and does it then", async () => {
    using at = desk();
    const approve = ["--approve", "--no-wait"];
    await at.harness(["run", at.contract(), "--provider", at.provider([write("a.txt")])]);
    const { id } = await at.stored();
    await at.harness(["resume", id, ...approve]);
    const refused = await at.harness(["rewind", id, "--all"]);
    const policy = at.file("open.json", openPolicy);
    const meant = await at.harness(["rewind", id, "--all", "--policy", policy]);

    expect(refused.code).toBe(4);
    expect(refused.printed).toContain("✗ a.txt is left alone: the policy wants writing it asked about by default\n");
    expect(refused.printed).toContain("An undo asks nobody");
    expect(refused.printed).toContain("--policy <policy.json>");
    expect(meant).toMatchObject({ code: 0, printed: "✓ a.txt is gone, which the run had made\n" });
  });

  it("is told by the trace, and the run stays what it was", async () => {
    using at = desk();
    const id = await worked(at);
    await at.harness(["rewind", id, "--all"]);
    const trace = await at.harness(["trace", id]);
    const resumed = await at.harness(["resume", id]);
    const listed = await at.harness(["runs", "--json"]);

    expect(trace.printed).toContain("↻ undone: everything\n      a.txt is as it was\n      b.txt is gone");
    expect(trace.printed).not.toContain("The log goes no further");
    expect(resumed).toMatchObject({ code: 0, printed: expect.stringContaining("has ended, and nothing was done") });
    expect(JSON.parse(listed.printed)).toMatchObject({ state: "ended", outcome: { type: "finished" } });
    expect((await at.harness(["verify", id])).code).toBe(0);
  });

  it("exits with 130 when it is told to stop before the first file, which it does not touch", async () => {
    using at = desk();
    const id = await worked(at);
    const onListen = (terminal: { signal(name: string): void }) => terminal.signal("SIGINT");
    const { code, complained, terminal } = await at.harness(["rewind", id, "--all"], { onListen });

    expect(code).toBe(130);
    expect(complained).toContain("The same command does what is left.");
    expect(readFileSync(path(at, "a.txt"), "utf8")).toBe("after\n");
    expect(terminal.isListening()).toBe(false);
  });

  it.each([
    [[], /What to undo was not said/],
    [["--path", "a.txt", "--all"], /cannot be used with option/],
    [["--step", "1", "--force"], /cannot be used with option/],
    [["--all", "--policy", "gone.json"], /Could not read the policy/],
  ] as const)("exits with 2 for %j, and touches nothing", async (flags, message) => {
    using at = desk();
    const { code, complained } = await at.harness(["rewind", await worked(at), ...flags]);

    expect(code).toBe(2);
    expect(complained).toMatch(message);
    expect(readFileSync(path(at, "a.txt"), "utf8")).toBe("after\n");
  });
});

describe("harness patch", () => {
  it("prints what git can apply, and take back", async () => {
    using at = desk();
    const id = await worked(at);
    const { code, printed, complained } = await at.harness(["patch", id]);
    const patch = join(at.folder, at.file("run.patch", printed));
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["apply", ...args, patch], { cwd: join(at.folder, "repo") });
    git("--reverse");
    const before = [readFileSync(path(at, "a.txt"), "utf8"), existsSync(path(at, "b.txt"))];
    git();

    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(before).toEqual(["before\n", false]);
    expect(readFileSync(path(at, "a.txt"), "utf8")).toBe("after\n");
  });

  it("says on standard error what is not in it, and exits with 1", async () => {
    using at = desk();
    const id = await worked(at);
    await at.harness(["store", "archive", id]);
    const { code, complained } = await at.harness(["patch", id]);

    expect(code).toBe(1);
    expect(complained).toContain("not in the patch: call 2.1, a.txt: its words are archived\n");
  });

  it("says so where the run changed no file", async () => {
    using at = desk();
    const { code, printed, complained } = await at.harness(["patch", await ran(at, touch)]);

    expect({ code, printed, complained }).toEqual({
      code: 0,
      printed: "",
      complained: "The run's tools changed no file.\n",
    });
  });

  it("cannot steer a terminal that it is printed on", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt", "\x1b[2Jgone\n"));

    expect((await at.harness(["patch", id], { isTTY: true })).printed).not.toContain("\x1b");
    expect((await at.harness(["patch", id])).printed).toContain("+\x1b[2Jgone\n");
  });
});
