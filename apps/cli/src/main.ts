// The command line as a whole: what a person is told of it, and what a command's end means to whoever called.
import { Command, CommanderError } from "commander";
import { addAnswering } from "./answering-commands.js";
import { addDriving } from "./driving-commands.js";
import { exitCodes } from "./exit-codes.js";
import { addLooking } from "./looking-commands.js";
import { addMachine } from "./machine-commands.js";
import { manifest } from "./manifest.js";
import type { Action } from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";
import { reportFailure } from "./report-failure.js";
import { addUndoing } from "./undoing-commands.js";

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

function harness(terminal: Terminal, action: Action): Command {
  const { out, err } = terminal;
  const program = new Command("harness")
    .description("Runs an agent from a task contract to a proven outcome, and shows what it did.")
    .version(manifest().version, "-V, --version")
    .exitOverride()
    .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => err.write(text) })
    .showHelpAfterError("(add --help for what there is)")
    .addHelpText("after", exitCodeHelp);
  addDriving(program, terminal, action);
  addAnswering(program, terminal, action);
  addLooking(program, terminal, action);
  addUndoing(program, terminal, action);
  addMachine(program, terminal, action);
  return program;
}

const exitCodeHelp = `
Exit codes:
  0    done             1  not done: a budget, stalled, denied
  2    wrong usage      3  somebody has to answer
  4    refused          5  failed, or something is broken
  130  cancelled; go on with \`resume\``;
