// The commands about policies, the store and the machine rather than about one run, and what they take.
import type { ActType } from "@harness/spec";
import { Argument, type Command } from "commander";
import { type DoctorFlags, doctorCommand } from "./commands/doctor.js";
import { type ExplainFlags, explainCommand } from "./commands/policy-explain.js";
import { type StoreCheckFlags, storeCheckCommand } from "./commands/store-check.js";
import { type Action, storeOption } from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";

export function addMachine(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("policy")
    .description("about policies")
    .command("explain")
    .description("what a policy says of an act, and which rule of which layer says so")
    .addArgument(new Argument("<act>", "what would be done").choices(["read", "write", "exec", "net"]))
    .argument("<target...>", "paths, addresses, or one command; put -- before a command that has options of its own")
    .option("--policy <policy.json>", "the policy (default: the one that runs have when none is given)")
    .action(
      action((act: ActType, targets: readonly string[], flags: ExplainFlags) =>
        explainCommand(terminal, act, targets, flags),
      ),
    );
  program
    .command("store")
    .description("about the file that holds the runs")
    .command("check")
    .description("look for damage in it")
    .option("--mend", "repair what can be")
    .option("--json", "one JSON object")
    .addOption(storeOption())
    .action(action((flags: StoreCheckFlags) => storeCheckCommand(terminal, flags)));
  program
    .command("doctor")
    .description("say what works here, and whether runs can be driven")
    .option("--attack", "try on this machine what a command might do, and say what the sandbox stopped")
    .option("--json", "one JSON object")
    .addOption(storeOption())
    .action(action((flags: DoctorFlags) => doctorCommand(terminal, flags)));
}
