// The first message of a conversation: what is wanted, how it will be judged, and by which commands the repository is usually
// worked on. It depends on the contract alone, so a resumed run begins with the same words.
import type { TaskContract, Toolchain } from "@harness/spec";
import { planFirst } from "../tools/plan-words.js";

/** The first message: what is wanted and how it will be judged. */
export function briefing({ goal, constraints, verify, toolchain, plan }: TaskContract): string {
  const parts = [`Goal: ${goal}`];
  if (constraints.length > 0) parts.push(`Constraints: ${constraints.join("; ")}`);
  parts.push(`Finished when: ${describeGate(verify)}`);
  const commands = toolchain ? describeToolchain(toolchain) : "";
  if (commands !== "") parts.push(commands);
  if (plan) parts.push(planFirst);
  return parts.join("\n\n");
}

// In the order in which they are used, which is also the one in which they are told.
const toolchainCommands = ["install", "build", "check", "test", "lint", "format", "run"] as const;

/** What is usual here, and neither an order nor a permission. */
function describeToolchain(toolchain: Toolchain): string {
  const commands = toolchainCommands.flatMap((name) => {
    const argv = toolchain[name];
    return argv ? [`${name} \`${argv.join(" ")}\``] : [];
  });
  if (commands.length === 0) return "";
  const kind = toolchain.ecosystem === undefined ? "" : `, ${toolchain.ecosystem}`;
  return `Usual commands here (a default${kind}; each needs to be allowed): ${commands.join(", ")}.`;
}

function describeGate(gate: TaskContract["verify"]): string {
  switch (gate.type) {
    case "none":
      return "you answer without calling a tool.";
    case "command":
      return `\`${gate.argv.join(" ")}\` exits with code ${gate.expectExit}. It is run for you after every step.`;
    case "file-contains":
      return `the file ${gate.path} contains ${JSON.stringify(gate.text)}.`;
    case "file-equals":
      return `the file ${gate.path} is exactly ${JSON.stringify(gate.text)}.`;
    default:
      return gate satisfies never;
  }
}
