// Promises about the environment: a command sees what is listed, and nothing else of the process that embeds it.
import { expect } from "vitest";
import { node } from "./payloads.js";
import { always, type Cases, type Subject } from "./subject.js";

const print = node("process.stdout.write(JSON.stringify(process.env))");

/** Runs `body` while this process has a variable that no allow list names. */
async function withVariable(name: string, body: () => Promise<void>): Promise<void> {
  process.env[name] = "from the embedding process";
  try {
    await body();
  } finally {
    delete process.env[name];
  }
}

async function environmentOf(
  { run }: Subject,
  rest: Parameters<Subject["run"]>[1] = {},
): Promise<Record<string, string>> {
  const outcome = await run(print, rest);
  return JSON.parse(outcome.stdout.text);
}

export const environmentCases: Cases = {
  "does not pass on what is not listed": always(async (subject) => {
    await withVariable("HARNESS_SUITE_UNLISTED", async () => {
      const seen = await environmentOf(subject);

      expect(seen).not.toHaveProperty("HARNESS_SUITE_UNLISTED");
      expect(seen.PATH ?? seen.Path).toBe(process.env.PATH);
    });
  }),

  "passes on what the command lists": always(async (subject) => {
    await withVariable("HARNESS_SUITE_LISTED", async () => {
      const seen = await environmentOf(subject, { inherit: ["HARNESS_SUITE_LISTED", "HARNESS_SUITE_ABSENT"] });

      expect(seen).toMatchObject({ HARNESS_SUITE_LISTED: "from the embedding process" });
      expect(seen).not.toHaveProperty("HARNESS_SUITE_ABSENT");
    });
  }),

  "sets what the command gives, over what is passed on": always(async (subject) => {
    await withVariable("HARNESS_SUITE_BOTH", async () => {
      const seen = await environmentOf(subject, {
        inherit: ["HARNESS_SUITE_BOTH"],
        env: { HARNESS_SUITE_BOTH: "given", HARNESS_SUITE_GIVEN: "a=b €", LANG: "C" },
      });

      expect(seen).toMatchObject({ HARNESS_SUITE_BOTH: "given", HARNESS_SUITE_GIVEN: "a=b €", LANG: "C" });
    });
  }),

  "leaves the command's own objects and this process's environment as they were": always(async (subject) => {
    const env = Object.freeze({ HARNESS_SUITE_GIVEN: "x" });
    const before = { ...process.env };
    await environmentOf(subject, { env, inherit: Object.freeze(["LANG"]) });

    expect({ ...process.env }).toEqual(before);
  }),
};
