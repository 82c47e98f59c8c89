// What this program takes the terminal for. Never a problem: it can be read by nobody at all.
import { isColoured } from "../render/paint.js";
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";

export const terminalCheck: Check = { title: "Terminal", examine: async (machine) => terminalReport(machine) };

function terminalReport({ out, env }: Pick<Machine, "out" | "env">): Report {
  const isTerminal = out.isTTY === true;
  const colour = isColoured(out, env);
  const columns = isTerminal ? out.columns || null : null;
  const wide = columns === null ? "of unknown width" : `${columns} columns wide`;
  const findings: readonly Finding[] = [
    {
      status: "plain",
      name: "output",
      text: isTerminal ? `a terminal, ${wide}` : "not a terminal: lines of any length",
    },
    { status: "plain", name: "colour", text: colour ? "yes" : `no${whyNot(isTerminal, env)}` },
  ];
  return { findings, facts: { isTerminal, columns, colour } };
}

function whyNot(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Machine["env"]): string {
  if (NO_COLOR) return ": NO_COLOR is set";
  if (FORCE_COLOR) return ": FORCE_COLOR is 0";
  if (isTerminal && TERM === "dumb") return ": TERM is dumb";
  return "";
}
