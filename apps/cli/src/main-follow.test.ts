import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Desk, desk } from "./desk.test-support.js";
import { started } from "./started.test-support.js";

const look = { calls: [{ name: "list_dir", arguments: {} }] };

/** A run that is being driven, and waits for its model. */
async function underWay(at: Desk) {
  const provider = at.provider([look, { hangs: true }]);
  const driver = started(at, ["run", at.contract(), "--provider", provider], "Step 2");
  const terminal = await driver.shown;
  return { driver, terminal, provider, id: (await at.stored()).id };
}

describe("harness trace --follow", () => {
  it("shows a run as another driver takes it on, over a pause, and leaves with 0 when it has ended", async () => {
    using at = desk();
    const { driver, terminal, provider, id } = await underWay(at);
    const follower = started(at, ["trace", id, "--follow"], "Step 2");
    const watched = await follower.shown;
    const before = watched.printed();
    terminal.signal("SIGINT");
    await driver.answer;
    const text = readFileSync(join(at.folder, provider), "utf8");
    at.file(provider, text.replace('"hangs":true', '"text":"All seen."'));
    // A module is imported once in a process, so the one that answers has another name.
    at.file("answers.mjs", readFileSync(join(at.folder, provider), "utf8"));
    await at.harness(["resume", id, "--provider", "answers.mjs"]);
    const { code, printed } = await follower.answer;

    expect(before).not.toContain("cancelled");
    expect(printed).toContain("Nobody drives this run now. What comes is shown when somebody does; Ctrl-C leaves.\n");
    expect(printed).toMatch(
      /stopped by SIGINT[\s\S]*resumed after a pause[\s\S]*All seen\.[\s\S]*finished after 2 steps/,
    );
    expect(printed).toMatch(/time +\S+ m?s\n$/);
    expect(code).toBe(0);
    expect(watched.isListening()).toBe(false);
  });

  it("leaves with 130 at Ctrl-C, and the run goes on", async () => {
    using at = desk();
    const { driver, terminal, id } = await underWay(at);
    const follower = started(at, ["trace", id, "--follow", "--json"], '"step":2');
    (await follower.shown).signal("SIGINT");
    const { code, printed } = await follower.answer;
    const followed = printed.trim().split("\n").length;
    const { printed: looked } = await at.harness(["trace", id]);
    terminal.signal("SIGINT");
    await driver.answer;

    expect(code).toBe(130);
    expect((await at.events()).length).toBeGreaterThan(followed);
    expect(looked).toContain("The log goes no further: the run is under way.");
    expect(looked).toMatch(new RegExp(`follow +harness trace ${id} --follow\n$`));
  });

  it("is over at once for a run that has ended", async () => {
    using at = desk();
    await at.harness(["run", at.contract(), "--provider", at.provider([look])]);
    const { id } = await at.stored();
    const [followed, looked] = [await at.harness(["trace", id, "--follow"]), await at.harness(["trace", id])];

    expect(followed).toMatchObject({ code: 0, printed: looked.printed });
  });

  it("stops following when whoever read it has left", async () => {
    using at = desk();
    const { driver, terminal, id } = await underWay(at);
    const follower = await at.harness(["trace", id, "--follow"], { isUnread: true });
    terminal.signal("SIGINT");
    await driver.answer;

    expect(follower.code).toBe(0);
    expect(follower.printed).not.toContain("Step 2");
  });
});
