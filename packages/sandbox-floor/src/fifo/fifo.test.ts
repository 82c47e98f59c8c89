import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { namePrefix, thisOwner } from "../owner/owner.js";
import { systemProgram } from "../system-program.js";
import { fifoStock } from "./fifo-stock.js";
import { openOutputPipes } from "./output-pipes.js";

const program = systemProgram("mkfifo");
let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "harness-fifo-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const none = () => fifoStock({ program: undefined, parent: () => parent });

describe.skipIf(program === undefined)("fifoStock [needs mkfifo]", () => {
  const stockOf = (rest = {}) => fifoStock({ program, parent: () => parent, batch: 8, ...rest });

  it("makes them in a folder that only this user enters, and never gives one twice", async () => {
    const stock = stockOf();
    const pairs = await Promise.all(Array.from({ length: 50 }, () => stock.pair()));
    const paths = pairs.flatMap((pair) => pair ?? []);

    expect(new Set(paths).size).toBe(100);
    expect(paths.every((path) => statSync(path).isFIFO())).toBe(true);
    const [folder = ""] = new Set(paths.map((path) => dirname(path)));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    stock.discard();
    expect(readdirSync(parent)).toEqual([]);
  });

  it("removes its folder after a while without use, and makes another one", async () => {
    const stock = stockOf({ idleMs: 20 });
    await stock.pair();
    await vi.waitFor(() => expect(readdirSync(parent)).toEqual([]), 20_000);

    expect((await stock.pair())?.every((path) => statSync(path).isFIFO())).toBe(true);
    stock.discard();
  });

  it("removes what a killed process left", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "close");
    const left = join(parent, `${namePrefix({ ...thisOwner(), pid: child.pid ?? 0 })}aaaaaa`);
    mkdirSync(left);
    const stock = stockOf();
    await stock.pair();

    await vi.waitFor(() => expect(existsSync(left)).toBe(false), 20_000);
    stock.discard();
  });

  it("gives up on a program that makes none, and does not ask it for ever", async () => {
    const places: string[] = [];
    const inParent = () => {
      places.push(parent);
      return parent;
    };
    const failing = stockOf({ program: "/bin/false", parent: inParent });
    for (let round = 0; round < 6; round += 1) expect(await failing.pair()).toBeUndefined();

    expect(places.length).toBeLessThan(6);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("has none where no folder can be made", async () => {
    expect(await stockOf({ parent: () => join(parent, "absent") }).pair()).toBeUndefined();
  });
});

describe.skipIf(process.platform === "win32")("openOutputPipes [its payloads need sh]", () => {
  const stocks = {
    FIFOs: () => fifoStock({ program, parent: () => parent, batch: 8 }),
    "Node's pipes": none,
  };

  async function started(stock = none(), source = "") {
    const pipes = await openOutputPipes(stock);
    const child: ChildProcess = spawn("sh", ["-c", source], { stdio: ["ignore", ...pipes.stdio] });
    pipes.started(child);
    const text = { stdout: "", stderr: "" };
    pipes.listen(
      (bytes) => {
        text.stdout += Buffer.from(bytes);
      },
      (bytes) => {
        text.stderr += Buffer.from(bytes);
      },
    );
    return { pipes, child, text };
  }

  it.each(Object.entries(stocks))("reads both streams to their end through %s", async (_, open) => {
    const stock = open();
    const { pipes, text } = await started(stock, "echo out; echo err >&2; (sleep 0.2; echo late)");
    await pipes.closed;

    expect(text).toEqual({ stdout: "out\nlate\n", stderr: "err\n" });
    stock.discard();
  });

  it.each(Object.entries(stocks))("lets go of %s that others hold open", async (_, open) => {
    const stock = open();
    const { pipes, child } = await started(stock, "exec sleep 60");
    pipes.release();
    pipes.release();
    child.kill();

    await pipes.closed;
    stock.discard();
  });

  it.skipIf(program === undefined)("comes to an end when nobody ever wrote [needs mkfifo]", async () => {
    const stock = stocks.FIFOs();
    const pipes = await openOutputPipes(stock);
    pipes.listen(
      () => {},
      () => {},
    );
    pipes.started({} as ChildProcess);

    await pipes.closed;
    stock.discard();
  });

  it.skipIf(program === undefined)("takes Node's pipes when the FIFOs are gone, and new FIFOs next time", async () => {
    const stock = stocks.FIFOs();
    const [path = ""] = (await stock.pair()) ?? [];
    rmSync(dirname(path), { recursive: true });
    const first = await openOutputPipes(stock);
    const second = await openOutputPipes(stock);

    expect(first.stdio).toEqual(["pipe", "pipe"]);
    expect(second.stdio).toEqual([expect.any(Number), expect.any(Number)]);
    second.release();
    stock.discard();
  });
});
