// The commands for whoever answers what runs ask, and what they take.
import type { Command } from "commander";
import { addAnswerOptions } from "./answer-options.js";
import { type ApprovalsFlags, approvalsCommand } from "./commands/approvals.js";
import { type ApprovalsAnswerFlags, approvalsAnswerCommand } from "./commands/approvals-answer.js";
import { type Action, storeOption } from "./option-kinds.js";
import type { Terminal } from "./process-terminal.js";

export function addAnswering(program: Command, terminal: Terminal, action: Action): void {
  const approvals = program
    .command("approvals")
    .description("what runs wait for: approvals, questions, plans, and calls of which nobody knows what became");
  approvals
    .command("list", { isDefault: true })
    .description("list it, oldest first, with what would happen and the commands that answer")
    .option("--json", "one JSON object a line")
    .addOption(storeOption())
    .action(action((flags: ApprovalsFlags) => approvalsCommand(terminal, flags)));
  const answer = approvals
    .command("answer")
    .description("answer one of them; the first answer counts, whoever gives it")
    .argument("<run>", "the run that waits")
    .argument("[request]", "what it waits for (may be left out where only one is of that kind)");
  addAnswerOptions(answer, "--text <answer>")
    .option("--by <name>", "who answers, for the trace (default: whoever is logged in)")
    .addOption(storeOption())
    .action(
      action((run: string, request: string | undefined, flags: ApprovalsAnswerFlags) =>
        approvalsAnswerCommand(terminal, run, request, flags),
      ),
    );
}
