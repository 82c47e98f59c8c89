// Scripted runs about what surrounds the calls: gates, retries, budgets, stalls, undoing, and another run in the same folder.
import { ProviderError } from "@harness/spec";
import { call, calls, type ReplyFunction, say } from "@harness/testing";
import type { Scenario } from "./scenario.test-support.js";

const read = (path: string) => call("read_file", { path });
const write = (path: string, content: string) => call("write_file", { path, content });

/** Fails until the log knows of `times` failures of this step, those of this process included. */
function failing(times: number, failures: (step: number) => number, reply: ReturnType<typeof call>): ReplyFunction {
  return (_request, { turn, attempt }) => {
    if (failures(turn) + attempt > times) return reply;
    throw new ProviderError("server", "scripted", "overloaded");
  };
}

export const endingScenarios: readonly Scenario[] = [
  {
    name: "a command as the gate, which fails and then passes",
    script: () => [write("c.txt", "bad\n"), calls(read("c.txt"), write("c.txt", "good\n"))],
    contract: { verify: { type: "command", argv: ["grep", "good", "c.txt"] } },
    files: { "c.txt": "nothing\n" },
    ends: "success",
  },
  {
    name: "a file as the gate, which fails and then passes",
    script: () => [write("c.txt", "bad\n"), say("done?"), write("c.txt", "good\n")],
    contract: { verify: { type: "file-contains", path: "c.txt", text: "good" } },
    files: { "c.txt": "nothing\n" },
    ends: "success",
  },
  {
    name: "completions that fail and are asked for again",
    script: (failures) => [
      failing(1, failures, write("c.txt", "sea\n")),
      read("c.txt"),
      failing(2, failures, write("c.txt", "ocean\n")),
      say("done"),
    ],
    contract: { limits: { retryBaseMs: 0 } },
    ends: "finished",
  },
  {
    name: "a budget of steps that runs out and is made larger",
    script: () => [write("c.txt", "1"), write("c.txt", "2"), write("c.txt", "3"), say("done")],
    contract: { limits: { maxSteps: 2 } },
    moreLimits: { maxSteps: 9 },
    ends: "finished",
  },
  {
    name: "a budget of tokens that runs out in a gated run and is made larger",
    script: () => [write("c.txt", "1"), write("c.txt", "2"), write("c.txt", "good")],
    contract: { limits: { maxTokens: 20 }, verify: { type: "file-equals", path: "c.txt", text: "good" } },
    files: { "c.txt": "nothing\n" },
    moreLimits: { maxTokens: 900 },
    ends: "success",
  },
  {
    name: "a run that repeats itself, is told so, changes course and repeats itself again",
    script: () => [
      ...Array.from({ length: 3 }, () => read("a.txt")),
      write("c.txt", "sea\n"),
      ...Array.from({ length: 8 }, () => read("c.txt")),
    ],
    ends: "stalled",
  },
  {
    name: "a run that is undone in the middle and goes on",
    script: () => [
      calls(write("c.txt", "sea\n"), call("edit_file", { path: "a.txt", search: "two", replace: "2" })),
      write("notes/b.txt", "wasp\n"),
      call("edit_file", { path: "a.txt", search: "three", replace: "3" }),
      say("done"),
    ],
    contract: { limits: { maxSteps: 2 } },
    moreLimits: { maxSteps: 9 },
    stages: ["start", "rewind", "drive", "rewind"],
    ends: "finished",
  },
  {
    name: "a run beside another one in the same workspace",
    script: () => [calls(read("a.txt"), write("c.txt", "sea\n")), write("c.txt", "ocean\n"), say("done")],
    hasNeighbour: true,
    ends: "finished",
  },
];
