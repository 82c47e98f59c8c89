import { describe, expect, it } from "vitest";
import { desk } from "./desk.test-support.js";
import { ran, waiting, write } from "./runs.test-support.js";
import { started } from "./started.test-support.js";

describe("harness store", () => {
  it("says how much the store has, and a run", async () => {
    using at = desk();
    const id = await ran(at);
    const [whole, one] = [await at.harness(["store", "size"]), await at.harness(["store", "size", id, "--json"])];

    expect(whole).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^[\d.]+ KB \([\d,]+ bytes\) {2}.*runs\.db\n$/),
    });
    expect(JSON.parse(one.printed)).toEqual({ path: at.storePath, run: id, bytes: expect.any(Number) });
  });

  it("deletes a run once it was said that this is meant", async () => {
    using at = desk();
    const id = await ran(at);
    const asked = await at.harness(["store", "delete", id]);
    const looked = await at.harness(["trace", id]);
    const done = await at.harness(["store", "delete", id, "--yes"]);

    expect(asked.code).toBe(2);
    expect(asked.complained).toContain(`nothing was deleted. To do it: harness store delete ${id} --yes\n`);
    expect(looked.code).toBe(0);
    expect(done).toMatchObject({ code: 0, printed: expect.stringMatching(/^Deleted 1 run and \d+ events: /) });
    expect((await at.harness(["trace", id])).code).toBe(2);
  });

  it("does not delete a run that is being driven", async () => {
    using at = desk();
    const driver = started(at, ["run", at.contract(), "--provider", at.provider([{ hangs: true }])], "Step 1");
    const terminal = await driver.shown;
    const { id } = await at.stored();
    const { code, complained } = await at.harness(["store", "delete", id, "--yes"]);
    terminal.signal("SIGINT");
    await driver.answer;

    expect(code).toBe(2);
    expect(complained).toContain("is being driven by");
  });

  it("sweeps what has ended and is old, and names what stays", async () => {
    using at = desk();
    const ended = await ran(at);
    const open = await waiting(at);
    const young = await at.harness(["store", "sweep", "--before", "1d"]);
    const swept = await at.harness(["store", "sweep", "--before", "2999-01-01"]);

    expect(young.printed).toMatch(/^Deleted 0 runs that had ended, created before 20/);
    expect(swept.printed).toMatch(/^Deleted 1 run that had ended, created before 2/);
    expect(swept.printed).toContain(`1 older one stayed, not ended or being driven: ${open}\n`);
    expect((await at.harness(["trace", ended])).code).toBe(2);
    expect((await at.harness(["trace", open])).code).toBe(0);
  });

  it("empties what was said in a run, which still verifies", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt", "the words"));
    const first = await at.harness(["store", "archive", id]);
    const second = await at.harness(["store", "archive", id]);
    const open = await at.harness(["store", "archive", await waiting(at)]);

    expect(first).toMatchObject({ code: 0, printed: expect.stringMatching(/^Emptied \d+ events of run /) });
    expect(second).toMatchObject({ code: 0, printed: `Run ${id} has no words left: nothing was done\n` });
    expect(open.code).toBe(5);
    expect((await at.harness(["verify", id])).code).toBe(0);
    expect((await at.harness(["trace", id, "--json"])).printed).not.toContain("the words");
  });

  it("gives space back", async () => {
    using at = desk();
    const id = await ran(at, write("a.txt", "words ".repeat(20_000)));
    const { printed } = await at.harness(["store", "delete", id, "--yes"]);
    const compacted = await at.harness(["store", "compact", "--json"]);

    expect(printed).toContain("To give it back: harness store compact\n");
    expect(JSON.parse(compacted.printed).freed).toBeGreaterThan(0);
  });

  it.each([
    [["sweep"], /required option '--before/],
    [["sweep", "--before", "yesterday"], /a date as 2026-01-31/],
    [["delete", "nobody", "--yes"], /There is no run nobody/],
    [["size", "nobody"], /There is no run nobody/],
    [["archive", "nobody"], /There is no run nobody/],
  ] as const)("exits with 2 for %j", async (words, message) => {
    using at = desk();
    await ran(at);
    const { code, complained } = await at.harness(["store", ...words]);

    expect(code).toBe(2);
    expect(complained).toMatch(message);
  });
});
