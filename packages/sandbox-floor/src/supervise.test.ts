// What depends on an order of events that no real command can be made to keep: output that is read after the exit, and a
// child that the kernel does not let die.
import { systemClock } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { Child, Exit } from "./child.js";
import type { ProcessTree } from "./process-tree.js";
import { supervise } from "./supervise.js";

interface FakeChild extends Child {
  exit(code: number): void;
  print(text: string): void;
  close(): void;
}

function fakeChild(): FakeChild {
  let [exit, close]: [(exit: Exit) => void, () => void] = [() => {}, () => {}];
  let print: (bytes: Uint8Array) => void = () => {};
  let hasExited = false;
  return {
    pid: 4711,
    get hasExited() {
      return hasExited;
    },
    exited: new Promise((resolve) => {
      exit = resolve;
    }),
    closed: new Promise((resolve) => {
      close = resolve;
    }),
    listen: (onStdout) => {
      print = onStdout;
    },
    release: () => {},
    exit(code) {
      hasExited = true;
      exit({ code, signal: null });
    },
    print: (text) => print(Buffer.from(text)),
    close: () => close(),
  };
}

const emptyTree: ProcessTree = {
  hasSurvivors: () => false,
  learn: () => {},
  enclose: () => {},
  enclosure: undefined,
  end: async () => {},
  endNow: () => {},
};

function supervised(child: Child, rest: { maxOutputBytes?: number } = {}) {
  const argv = ["fake"] as const;
  return supervise({
    ...{ backend: "fake", argv, command: { argv, cwd: "/", limits: rest }, child, tree: emptyTree },
    ...{ clock: systemClock(), keepBytes: 100, drainMs: 10_000 },
  });
}

describe("supervise", () => {
  it("calls it a cap when too much is read after the exit", async () => {
    const child = fakeChild();
    const { outcome } = supervised(child, { maxOutputBytes: 3 });
    child.exit(0);
    child.print("four");
    child.close();

    expect(await outcome).toMatchObject({ capHit: "output", exitCode: null, stdout: { text: "four" } });
  });

  it("keeps an exit that came before a kill", async () => {
    const child = fakeChild();
    const { outcome, kill } = supervised(child);
    child.exit(9);
    const killed = kill();
    child.close();
    await killed;

    expect(await outcome).toMatchObject({ exitCode: 9, stopped: null });
  });

  it("settles though the child cannot be collected after a kill", async () => {
    const child = fakeChild();
    const { outcome, kill } = supervised(child);
    child.close();
    await kill();

    expect(await outcome).toMatchObject({ exitCode: null, signal: null, stopped: "cancelled" });
  });
});
