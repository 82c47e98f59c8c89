// Promises about a command that never ran: it is told by an error with a kind, and nothing has happened.
import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { expect } from "vitest";
import { node } from "./payloads.js";
import { always, type Cases, type Subject } from "./subject.js";

const absent = "harness-no-such-program";
const touch = node(`require("fs").writeFileSync("made", "")`);

async function refuses({ sandbox, folder }: Subject, command: Partial<SandboxCommand>, kind: unknown): Promise<void> {
  const whole: SandboxCommand = { argv: touch, cwd: folder, ...command };
  const error = { code: "sandbox-failed", kind, message: expect.stringMatching(/\. .+/) };
  await expect(sandbox.run(whole)).rejects.toMatchObject(error);
  await expect(sandbox.spawn(whole)).rejects.toMatchObject(error);
  expect(existsSync(join(folder, "made"))).toBe(false);
}

export const failureCases: Cases = {
  "is unavailable when there is no such program": always(async (subject) => {
    await refuses(subject, { argv: [absent] }, "unavailable");
    await refuses(subject, { argv: [`./${absent}`] }, "unavailable");
    await refuses(subject, { argv: [join(subject.folder, absent), "x"] }, "unavailable");
  }),

  "searches the PATH that the command is given": always(async (subject) => {
    const env = { PATH: subject.outside };

    await refuses(subject, { argv: ["node"], env }, "unavailable");
  }),

  "does not start an argument list that is none": always(async (subject) => {
    const lists: unknown[] = [
      [],
      [""],
      ["  "],
      [touch[0], "a\0b"],
      ["no\0de"],
      [touch[0], 7],
      [touch[0], null],
      undefined,
    ];
    for (const argv of lists) await refuses(subject, { argv: argv as SandboxCommand["argv"] }, expect.any(String));
  }),

  "does not start in a folder that is none": always(async (subject) => {
    const { folder } = subject;
    for (const cwd of [join(folder, "absent"), "relative", "", process.execPath]) {
      await refuses(subject, { cwd }, expect.any(String));
    }
  }),

  "starts nothing when the signal has fired before": always(async (subject) => {
    await refuses(subject, { signal: AbortSignal.abort("no more") }, "aborted");
  }),

  "leaves no listener on the signal of what never ran": always(async (subject) => {
    const { signal } = new AbortController();
    await refuses(subject, { argv: [absent], signal }, "unavailable");

    expect(getEventListeners(signal, "abort")).toEqual([]);
  }),

  "can run a command after one that never ran": always(async (subject) => {
    await refuses(subject, { argv: [absent] }, "unavailable");

    expect(await subject.run(touch)).toMatchObject({ exitCode: 0 });
    expect(await subject.written("made")).toBe("");
  }),
};
