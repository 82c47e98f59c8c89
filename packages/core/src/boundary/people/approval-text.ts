// What a person is shown who has to approve a call: everything that it would do as it would be done, and which rule wants it
// asked about. Nothing is left out or shortened, because what is not seen is approved all the same.
import { isAbsolute, join } from "node:path";
import type { Act, ApprovalRequest, JudgedAct, Verdict } from "@harness/spec";
import { printable, printableLines } from "./printable.js";

export type ShownRequest = Pick<ApprovalRequest, "goal" | "workspace" | "tool" | "input" | "acts">;

/** A request in words, over several lines, printable only. Paths are absolute, a command is its whole argument list. */
export function approvalText({ goal, workspace, tool, input, acts }: ShownRequest): string {
  const lines = acts.map((judged, index) => `${index === 0 ? "Would:" : "      "} ${actText(judged, workspace)}`);
  return [
    `Goal:  ${printableLines(goal, "       ")}`,
    `Tool:  ${printable(tool)}`,
    ...lines,
    `With:  ${printableLines(JSON.stringify(input, null, 2), "       ")}`,
  ].join("\n");
}

function actText({ act, verdict }: JudgedAct, workspace: string): string {
  return `${doing(act, workspace)} (${verdictText(verdict)})`;
}

function doing(act: Act, workspace: string): string {
  switch (act.type) {
    case "read":
      return `read ${pathText(act.target, workspace)}`;
    case "write":
      return `${act.before === null ? "create" : act.after === null ? "delete" : "write"} ${pathText(act.target, workspace)}`;
    case "exec":
      return act.argv ? `run ${act.argv.map(quoted).join(" ")}` : `use the tool ${quoted(act.target)}`;
    case "net":
      return `dial ${quoted(act.target)}`;
    default:
      return act satisfies never;
  }
}

function pathText(target: string, workspace: string): string {
  return quoted(isAbsolute(target) ? target : join(workspace, target));
}

const words = { allow: "allowed", ask: "needs approval", deny: "denied" } as const;

function verdictText({ effect, rule, layer }: Verdict): string {
  if (rule === undefined) return `${words[effect]} by default`;
  return `${words[effect]} by the rule ${quoted(rule)} of layer ${quoted(layer ?? "")}`;
}

/** In quotes of JSON's, so that the bounds of each word can be seen. */
function quoted(text: string): string {
  return printable(JSON.stringify(text));
}
