// The commands about policies, the store and the machine rather than about one run, and what they take.
import type { ActType } from "@harness/spec";
import { Argument, type Command } from "commander";
import { type DoctorFlags, doctorCommand } from "./commands/doctor.js";
import { type ExplainFlags, explainCommand } from "./commands/policy-explain.js";
import { type PolicyReplayFlags, policyReplayCommand } from "./commands/policy-replay.js";
import { type StoreCheckFlags, storeCheckCommand } from "./commands/store-check.js";
import {
  type SweepFlags,
  storeArchiveCommand,
  storeCompactCommand,
  storeDeleteCommand,
  storeSizeCommand,
  storeSweepCommand,
  type UpkeepFlags,
} from "./commands/store-upkeep.js";
import { type Action, storeOption } from "./option-kinds.js";
import { pointInTime } from "./points-in-time.js";
import type { Terminal } from "./process-terminal.js";

export function addMachine(program: Command, terminal: Terminal, action: Action): void {
  addPolicy(program, terminal, action);
  addStore(program, terminal, action);
  program
    .command("doctor")
    .description("say what works here, and whether runs can be driven")
    .option("--attack", "try on this machine what a command might do, and say what the sandbox stopped")
    .option("--json", "one JSON object")
    .addOption(storeOption())
    .action(action((flags: DoctorFlags) => doctorCommand(terminal, flags)));
}

function addPolicy(program: Command, terminal: Terminal, action: Action): void {
  const policy = program.command("policy").description("about policies");
  policy
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
  policy
    .command("replay")
    .description("what another policy would have decided of a run; exits with 4 when it would have refused something")
    .argument("<run>", "the run")
    .requiredOption("--policy <policy.json>", "the other policy")
    .option("--json", "one JSON object a line: the differences, then their summary")
    .addOption(storeOption())
    .action(action((run: string, flags: PolicyReplayFlags) => policyReplayCommand(terminal, run, flags)));
}

function addStore(program: Command, terminal: Terminal, action: Action): void {
  const store = program.command("store").description("about the file that holds the runs");
  const command = (words: string, description: string) =>
    store.command(words).description(description).option("--json", "one JSON object").addOption(storeOption());
  command("check", "look for damage in it")
    .option("--mend", "repair what can be")
    .action(action((flags: StoreCheckFlags) => storeCheckCommand(terminal, flags)));
  command("size [run]", "how many bytes it has, or a run with everything under it").action(
    action((run: string | undefined, flags: UpkeepFlags) => storeSizeCommand(terminal, run, flags)),
  );
  command("delete <run>", "delete a run and everything under it, for good")
    .option("--yes", "yes, do it")
    .action(action((run: string, flags: UpkeepFlags) => storeDeleteCommand(terminal, run, flags)));
  command("sweep", "delete runs that have ended, by their age")
    .requiredOption("--before <date|age>", "created before it: 2026-01-31, 12h, 30d, 4w", (text) =>
      pointInTime(text, terminal.clock.now()),
    )
    .action(action((flags: SweepFlags) => storeSweepCommand(terminal, flags)));
  command("archive <run>", "empty what was said in a run that has ended, for good; what happened stays").action(
    action((run: string, flags: UpkeepFlags) => storeArchiveCommand(terminal, run, flags)),
  );
  command("compact", "give the space of what was deleted back to the file system").action(
    action((flags: UpkeepFlags) => storeCompactCommand(terminal, flags)),
  );
}
