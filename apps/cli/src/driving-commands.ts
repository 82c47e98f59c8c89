// The commands that drive a run, and what they take.
import type { Command } from "commander";
import { addAnswerOptions } from "./answer-options.js";
import { type ResumeFlags, resumeCommand } from "./commands/resume.js";
import { type RunFlags, runCommand } from "./commands/run.js";
import {
  type Action,
  askOption,
  count,
  noWaitOption,
  pricesOption,
  providerOption,
  recordOption,
  replayOption,
  storeOption,
  unpricedOption,
  waitOption,
} from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";

export function addDriving(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("run")
    .description("run a contract until it stops")
    .argument("<contract.json>", "goal, workspace (relative to the file) and what differs from the defaults")
    .addOption(providerOption())
    .option("--model <id>", "the model to ask (default: the contract's, else what the environment says)")
    .addOption(recordOption())
    .addOption(replayOption())
    .addOption(pricesOption("what models cost, for a budget of money and to be shown"))
    .addOption(unpricedOption())
    .option(
      "--policy <policy.json>",
      "what the run may do (default: reads open, writes and commands asked for, no network)",
    )
    .addOption(storeOption())
    .addOption(askOption())
    .addOption(waitOption())
    .addOption(noWaitOption())
    .action(action((file: string, flags: RunFlags) => runCommand(terminal, file, flags)));
  const resume = program
    .command("resume")
    .description("go on with a run that paused or was cut short")
    .argument("<id>", "the run")
    .addOption(providerOption("default: the one it was driven with last"))
    .addOption(recordOption())
    .addOption(replayOption())
    .addOption(pricesOption("what models cost from here on (default: as before)"))
    .addOption(unpricedOption())
    .addOption(storeOption())
    .option("--max-steps <n>", "from here on", count)
    .option("--max-tokens <n>", "from here on", count)
    .option("--max-cost-micros <n>", "from here on, in millionths of the currency of its prices", count)
    .option("--max-duration-ms <n>", "from here on, counted from the run's first event", count)
    .addOption(askOption())
    .addOption(waitOption())
    .addOption(noWaitOption());
  addAnswerOptions(resume, "--answer <text>").action(
    action((id: string, flags: ResumeFlags) => resumeCommand(terminal, id, flags)),
  );
}
