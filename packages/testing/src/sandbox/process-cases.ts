// Promises about `spawn`: a command with a longer life can be looked at, ended at any time, and ends by itself.
import type { SandboxCommand, SandboxProcess } from "@harness/spec";
import { expect } from "vitest";
import { until } from "./observe.js";
import { node, stay, untilRemoved } from "./payloads.js";
import { always, type Cases, type Subject } from "./subject.js";

const windowBytes = 64 * 1024;
const text = (printed: string) => ({ text: printed, elidedBytes: 0 });
const nothing = text("");

type Rest = Omit<SandboxCommand, "argv" | "cwd">;

function spawned({ sandbox, folder }: Subject, argv: SandboxCommand["argv"], rest: Rest = {}): Promise<SandboxProcess> {
  return sandbox.spawn({ argv, cwd: folder, ...rest });
}

/** Collects what `take` gives until it ends in `end`. */
async function takenUntil(running: SandboxProcess, end: string): Promise<string> {
  let all = "";
  await until(`the output ended in ${JSON.stringify(end)}`, () => {
    all += running.take().stdout.text;
    return all.endsWith(end);
  });
  return all;
}

/** Prints one byte at a time, slowly enough to be read so. */
const bytewise = `const bytes = Buffer.from("a€b\\n"); let at = 0;
  setInterval(() => at < bytes.length && require("fs").writeSync(1, bytes, at++, 1), 15); ${untilRemoved}`;

export const processCases: Cases = {
  "gives what was printed since the last look, and nothing twice": always(async (subject) => {
    const source = `process.stdin.on("data", (text) => console.log("got " + text)); console.log("ready"); ${untilRemoved}`;
    const running = await spawned(subject, node(source), { stdin: "one" });

    expect(await takenUntil(running, "got one\n")).toBe("ready\ngot one\n");
    expect(running.take()).toEqual({ stdout: nothing, stderr: nothing });
    await running.kill();
  }),

  "names its backend": always(async (subject) => {
    const running = await spawned(subject, node(""));

    expect(running.backend).toBe(subject.sandbox.backend);
    expect((await running.outcome).backend).toBe(subject.sandbox.backend);
  }),

  "gives what was printed to the end, once it has ended": always(async (subject) => {
    const running = await spawned(subject, node(`console.log("out"); console.error("err"); process.exitCode = 6`));
    const outcome = await running.outcome;

    expect(outcome).toMatchObject({ exitCode: 6, signal: null, capHit: null, stopped: null });
    expect(running.take()).toEqual({ stdout: text("out\n"), stderr: text("err\n") });
    expect(running.take()).toEqual({ stdout: nothing, stderr: nothing });
    expect(outcome.stdout).toEqual(text("out\n"));
  }),

  "never halves a character between two looks": always(async (subject) => {
    const running = await spawned(subject, node(bytewise));

    expect(await takenUntil(running, "b\n")).toBe("a€b\n");
    await running.kill();
  }),

  "gives the newest window of a flood, with the gap counted": always(async (subject) => {
    const printed = 1024 * 1024;
    const flood = `process.stdout.write("x".repeat(${printed - 5}) + "LAST\\n", () => console.error("done")); ${untilRemoved}`;
    let [seen, isOver] = [0, false];
    const onOutput: SandboxCommand["onOutput"] = (stream, part) => {
      if (stream === "stdout") seen += part.length;
      else isOver = true;
    };
    const running = await spawned(subject, node(flood), { onOutput });
    await until("the flood was over", () => isOver && seen === printed);
    const { stdout } = running.take();

    expect(stdout.text.endsWith("xxxxLAST\n")).toBe(true);
    const kept = /x*LAST\n$/.exec(stdout.text)?.[0].length ?? 0;
    expect(kept).toBeLessThanOrEqual(windowBytes);
    expect(kept + stdout.elidedBytes).toBe(printed);
    expect(running.take().stdout).toEqual(nothing);
    await running.kill();
  }),

  "can be killed twice, and when it has ended": always(async (subject) => {
    const running = await spawned(subject, stay());
    await takenUntil(running, "ready\n");
    await Promise.all([running.kill(), running.kill()]);
    await running.kill();

    expect(await running.outcome).toMatchObject({ stopped: "cancelled", exitCode: null, stdout: text("ready\n") });
  }),

  "keeps how it ended when it is killed too late": always(async (subject) => {
    const running = await spawned(subject, node("process.exitCode = 7"));
    await running.outcome;
    await running.kill();

    expect(await running.outcome).toMatchObject({ exitCode: 7, stopped: null });
  }),

  "ends when its signal fires": always(async (subject) => {
    const stop = new AbortController();
    const running = await spawned(subject, stay(), { signal: stop.signal });
    await takenUntil(running, "ready\n");
    stop.abort();

    expect(await running.outcome).toMatchObject({ stopped: "cancelled", exitCode: null });
  }),

  "ends at its deadline": always(async (subject) => {
    const running = await spawned(subject, stay(), { timeoutMs: 200 });

    expect(await running.outcome).toMatchObject({ stopped: "timeout", exitCode: null });
  }),
};
