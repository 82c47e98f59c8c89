import { floor } from "io-harness";
import { describe, expect, it } from "vitest";
import { doctorCommand } from "./commands/doctor.js";
import { answering } from "./doctor/machine.test-support.js";
import { fakeTerminal } from "./terminal.test-support.js";

/** The first command asks which programs there are. */
const isQuestion = (line: string | undefined) => line?.includes("ALL-ASKED") === true;

describe.skipIf(process.platform === "win32")("harness doctor --attack [attacks are written for sh]", () => {
  it("tries each attack on the sandbox that runs get, and finds that it keeps its word", {
    timeout: 120_000,
  }, async () => {
    const terminal = fakeTerminal();
    const code = await doctorCommand(terminal, { attack: true }, () => floor());
    const lines = terminal.printed().trimEnd().split("\n");

    expect(lines[0]).toBe("Attacks on portable-floor");
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}✓ done +yes +do honest work/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}! got through {2}yes +write a file beside the workspace/));
    expect(lines.at(-1)).toMatch(/^\d+ attacks on portable-floor: .* It keeps its word\.$/);
    expect(code, terminal.printed()).toBe(0);
    expect(terminal.isListening()).toBe(false);
  });

  it("exits with 5 when what the sandbox says is false, here because it runs nothing, and says so as JSON", async () => {
    const terminal = fakeTerminal();
    const lost = answering(() => ({ exitCode: 1, stderr: "no such wrapper" }));
    const code = await doctorCommand(terminal, { attack: true, json: true }, () => lost);

    expect(code).toBe(5);
    expect(terminal.printed().trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(terminal.printed())).toMatchObject({
      backend: "played",
      keepsItsWord: false,
      wrong: [expect.stringMatching(/^Nothing can be said of \d+ attacks: .*no such wrapper\.$/)],
      attacks: expect.arrayContaining([expect.objectContaining({ id: "write-outside", result: "failed" })]),
    });
  });

  it("leaves with 130 at Ctrl-C, when what it had begun is over", async () => {
    let begun = 0;
    let running = 0;
    const terminal = fakeTerminal();
    const hanging = answering(({ argv, signal }) => {
      if (isQuestion(argv[2])) return { stdout: "HAS git\nALL-ASKED\n" };
      begun += 1;
      running += 1;
      if (begun === 1) terminal.signal("SIGINT");
      return new Promise((_, reject) => {
        const end = () => {
          running -= 1;
          reject(new Error("cancelled"));
        };
        if (signal?.aborted) end();
        else signal?.addEventListener("abort", end);
      });
    });

    expect(await doctorCommand(terminal, { attack: true }, () => hanging)).toBe(130);
    expect(running).toBe(0);
    expect(terminal.printed()).toBe("");
    expect(terminal.exits).toEqual([]);
    expect(terminal.isListening()).toBe(false);
  });
});
