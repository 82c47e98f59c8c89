// The command line as a whole: which commands there are, what they take, and what a person is told when one cannot be had.
import { readFileSync } from "node:fs";
import type { ActType } from "@harness/spec";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type ExplainFlags, explainCommand } from "./commands/policy-explain.js";
import { type ResumeFlags, resumeCommand } from "./commands/resume.js";
import { type RunFlags, runCommand } from "./commands/run.js";
import { type RunsFlags, runsCommand } from "./commands/runs.js";
import { type TraceFlags, traceCommand } from "./commands/trace.js";
import { type VerifyFlags, verifyCommand } from "./commands/verify.js";
import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./process-terminal.js";
import { reportFailure } from "./report-failure.js";

/** Does what `args` (without the program's name) say. Resolves to the exit code; never rejects. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.done;
  const program = harness(terminal, (work) => async (...given) => {
    code = await work(...given);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said it already. Help that was asked for is an answer; help in place of one is not.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportFailure(terminal, error);
  }
}

/** Makes an action of commander's out of one that resolves to an exit code. */
type Action = <Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;

function harness(terminal: Terminal, action: Action): Command {
  const { out, err } = terminal;
  const program = new Command("harness")
    .description("Runs an agent from a task contract to a proven outcome, and shows what it did.")
    .version(version(), "-V, --version")
    .exitOverride()
    .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => err.write(text) })
    .showHelpAfterError("(add --help for what there is)")
    .addHelpText("after", exitCodeHelp);
  addDriving(program, terminal, action);
  addLooking(program, terminal, action);
  return program;
}

function addDriving(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("run")
    .description("run a contract until it stops")
    .argument("<contract.json>", "goal, workspace (relative to the file) and what differs from the defaults")
    .addOption(providerOption())
    .option(
      "--policy <policy.json>",
      "what the run may do (default: reads open, writes and commands asked for, no network)",
    )
    .addOption(storeOption())
    .action(action((file: string, flags: RunFlags) => runCommand(terminal, file, flags)));
  program
    .command("resume")
    .description("go on with a run that paused or was cut short")
    .argument("<id>", "the run")
    .addOption(providerOption("default: the one it was driven with last"))
    .addOption(storeOption())
    .option("--max-steps <n>", "from here on", count)
    .option("--max-tokens <n>", "from here on", count)
    .option("--max-duration-ms <n>", "from here on, counted from the run's first event", count)
    .addOption(new Option("--approve", "yes to what it asks approval of").conflicts(["deny"]))
    .option("--deny <reason>", "no to it; the model is told the reason")
    .addOption(
      new Option("--retry", "the call of which nobody knows did not take effect").conflicts(["completed", "abort"]),
    )
    .addOption(new Option("--completed <observation>", "it did; the model is told this").conflicts(["abort"]))
    .option("--abort", "give it up, and the run with it")
    .action(action((id: string, flags: ResumeFlags) => resumeCommand(terminal, id, flags)));
}

function addLooking(program: Command, terminal: Terminal, action: Action): void {
  program
    .command("runs")
    .description("list the runs, newest first")
    .option("--limit <n>", "at most so many (default: 20)", count)
    .option("--json", "one JSON object a line")
    .addOption(storeOption())
    .action(action((flags: RunsFlags) => runsCommand(terminal, flags)));
  program
    .command("trace")
    .description("show what happened in a run")
    .argument("<id>", "the run")
    .option("--json", "its events as they are, one JSON object a line")
    .addOption(storeOption())
    .action(action((id: string, flags: TraceFlags) => traceCommand(terminal, id, flags)));
  program
    .command("verify")
    .description("check that a trace is what was recorded")
    .argument("<id>", "the run")
    .option("--head <hash>", "the hash that its last event is known to have", digest)
    .addOption(storeOption())
    .action(action((id: string, flags: VerifyFlags) => verifyCommand(terminal, id, flags)));
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
}

function providerOption(more?: string): Option {
  const what = "the model: an ES module that exports `provider`, by path or package name";
  return new Option("--provider <module>", more === undefined ? what : `${what} (${more})`);
}

function storeOption(): Option {
  return new Option("--store <path>", "the file that holds the runs (default: this machine's)");
}

function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

function digest(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError("It must be 64 hexadecimal digits, as `verify` prints them.");
  return text;
}

/** Read when it is asked for, from beside the built files and the sources alike. */
function version(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

const exitCodeHelp = `
Exit codes:
  0    done             1  not done: a budget, stalled, denied
  2    wrong usage      3  somebody has to answer
  4    refused          5  failed, or a broken trace
  130  cancelled; go on with \`resume\``;
