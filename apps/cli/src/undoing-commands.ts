// The commands that take back what a run did to files, or write it down, and what they take.
import { type Command, Option } from "commander";
import { type PatchFlags, patchCommand } from "./commands/patch.js";
import { type RewindFlags, rewindCommand } from "./commands/rewind.js";
import { type Action, count, storeOption } from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";

export function addUndoing(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("rewind")
    .description("undo what a run's tools did to files")
    .argument("<run>", "the run; nobody may be driving it")
    .addOption(new Option("--path <file>", "this file, relative to the run's workspace").conflicts(["step", "all"]))
    .addOption(
      new Option("--step <n>", "what this step changed, in the files as they are")
        .argParser(count)
        .conflicts(["all", "force"]),
    )
    .option("--all", "every file that the run wrote to")
    .option("--force", "also what somebody has changed since; their changes are lost")
    .option(
      "--policy <policy.json>",
      "what the undo may do (default: the run's policy); it asks nobody, so everything must be allowed",
    )
    .option("--json", "one JSON object")
    .addOption(storeOption())
    .action(action((run: string, flags: RewindFlags) => rewindCommand(terminal, run, flags)));
  program
    .command("patch")
    .description("print what a run's tools did to files, for `git apply` at the root of its workspace")
    .argument("<run>", "the run")
    .addOption(storeOption())
    .action(action((run: string, flags: PatchFlags) => patchCommand(terminal, run, flags)));
}
