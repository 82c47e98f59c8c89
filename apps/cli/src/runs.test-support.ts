// Runs that have come to where a test wants them.
import { type Desk, type ModuleReply, openPolicy } from "./desk.test-support.js";

export const write = (path: string, content = "x"): ModuleReply => ({
  calls: [{ name: "write_file", arguments: { path, content } }],
});
export const touch: ModuleReply = { calls: [{ name: "exec", arguments: { argv: ["touch", "touched"] } }] };

/** A run that was allowed everything, made `replies`, and ended. */
export async function ran(at: Desk, ...replies: readonly ModuleReply[]): Promise<string> {
  const given = replies.length === 0 ? [write("a.txt")] : replies;
  const policy = at.file("policy.json", openPolicy);
  await at.harness(["run", at.contract(), "--provider", at.provider(given), "--policy", policy]);
  return (await at.stored()).id;
}

/** A run that waits for approval of a write. */
export async function waiting(at: Desk): Promise<string> {
  await at.harness(["run", at.contract(), "--provider", at.provider([write("a.txt")])]);
  return (await at.stored()).id;
}

/** What a model asks a person, and what it proposes to do. */
export const question: ModuleReply = {
  calls: [
    {
      name: "ask_question",
      arguments: { question: "Which \u001b[2Jcolour?", context: "For the door.", choices: ["red", "blue"] },
    },
  ],
};
export const plan: ModuleReply = {
  calls: [{ name: "propose_plan", arguments: { steps: [{ intent: "Look." }, { intent: "Paint." }] } }],
};

/** A run that waits for an answer, or for a verdict on its plan, and writes a file after it. */
export async function asking(at: Desk, first: ModuleReply): Promise<string> {
  const contract = at.contract(first === plan ? { plan: true } : { questions: true });
  await at.harness(["run", contract, "--provider", at.provider([first])]);
  return (await at.stored()).id;
}

/** A run whose driver died while a command ran that may not simply be repeated. */
export async function cutInExec(at: Desk): Promise<string> {
  await ran(at, touch);
  return at.cutAfter(({ type }) => type === "tool.started");
}
