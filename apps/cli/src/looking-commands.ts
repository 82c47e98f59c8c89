// The commands that look at runs and change nothing, and what they take.
import { type Command, Option } from "commander";
import { type RunsFlags, runsCommand } from "./commands/runs.js";
import { type TraceFlags, traceCommand } from "./commands/trace.js";
import { type VerifyFlags, verifyCommand } from "./commands/verify.js";
import { type Action, count, digest, pricesOption, storeOption } from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";

export function addLooking(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("runs")
    .description("list the runs, newest first")
    .option(
      "--resumable",
      "those that wait to be resumed, with what each waits for and the commands that go on with it",
    )
    .option("--limit <n>", "at most so many (default: 20)", count)
    .option("--json", "one JSON object a line")
    .addOption(pricesOption())
    .addOption(storeOption())
    .action(action((flags: RunsFlags) => runsCommand(terminal, flags)));
  program
    .command("trace")
    .description("show what happened in a run")
    .argument("<id>", "the run")
    .addOption(new Option("--step <n>", "this step only").argParser(count).conflicts(["follow"]))
    .option("--full", "whole diffs and outputs, what was read, and how each command was run")
    .option("--no-diff", "no diffs")
    .option("--follow", "go on with what comes, whoever drives the run, until it ends")
    .option("--json", "its events as they are, one JSON object a line")
    .addOption(pricesOption())
    .addOption(storeOption())
    .action(action((id: string, flags: TraceFlags) => traceCommand(terminal, id, flags)));
  program
    .command("verify")
    .description("check that a trace is what was recorded")
    .argument("<id>", "the run")
    .option("--head <hash>", "the hash that its last event is known to have", digest)
    .addOption(storeOption())
    .action(action((id: string, flags: VerifyFlags) => verifyCommand(terminal, id, flags)));
}
