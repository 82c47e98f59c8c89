// What a person may say to a run, as options: the same words whether an answer is left for it or brought by a resume.
import { resolve } from "node:path";
import type { ResumeOptions } from "@harness/core";
import { type Answer, ConfigError, isJsonObject, type JsonObject, type Rule } from "@harness/spec";
import { type Command, InvalidArgumentError, Option } from "commander";
import { abort, approve, completed, deny, retry } from "io-harness";
import { readJsonFile } from "./json-file.js";
import type { Terminal } from "./process-terminal.js";

export interface AnswerFlags {
  readonly approve?: boolean;
  readonly input?: string;
  readonly remember?: readonly Rule[];
  readonly deny?: string;
  readonly final?: boolean;
  readonly plan?: "approve" | "cancel" | "revise";
  readonly correction?: string;
  readonly recover?: "retry" | "completed" | "abort";
  readonly observation?: string;
}

type WithoutNames<Item> = Item extends Answer ? Omit<Item, "request" | "by"> : never;

/** An answer before it is known to which request, and from whom. */
export type Said = WithoutNames<Answer>;

/** Adds the options to `command`; `text` is the one that answers a question: `--text <answer>`. */
export function addAnswerOptions(command: Command, text: string): Command {
  const kinds = ["approve", "deny", new Option(text).attributeName(), "plan", "recover"];
  const kind = (flags: string, description: string) => {
    const option = new Option(flags, description);
    return option.conflicts(kinds.filter((name) => name !== option.attributeName()));
  };
  return command
    .addOption(kind("--approve", "yes to what it asks approval of"))
    .option("--input <file.json>", "with --approve: these arguments in place of the call's")
    .addOption(rememberOption())
    .addOption(kind("--deny <reason>", "no to it; the model is told the reason"))
    .option("--final", "with --deny: that ends the run")
    .addOption(kind(text, "what is said to the question that it asks"))
    .addOption(kind("--plan <verdict>", "what is thought of its plan").choices(["approve", "cancel", "revise"]))
    .option("--correction <text>", "with --plan revise: what should be different")
    .addOption(
      kind("--recover <what>", "what to do about the call of which nobody knows whether it took effect").choices([
        "retry",
        "completed",
        "abort",
      ]),
    )
    .option("--observation <text>", "with --recover completed: what it did, which the model is told");
}

function rememberOption(): Option {
  const what = "with --approve: let such acts pass for the rest of the run, as 'write src/*'; may be given again";
  return new Option("--remember <rule>", what).argParser((text, before: readonly Rule[] = []) => [
    ...before,
    ruleFrom(text),
  ]);
}

/** `write src/*`, or with another effect than to allow in front: `deny exec git push*`. */
function ruleFrom(text: string): Rule {
  const [, effect = "allow", act, pattern] = /^(?:(allow|ask|deny) )?(read|write|exec|net) (\S.*)$/s.exec(text) ?? [];
  if (act === undefined || pattern === undefined) {
    throw new InvalidArgumentError("It must be an act and a pattern, as 'write src/*'.");
  }
  return { act, effect, pattern } as Rule;
}

/** What `flags` and `text` say; `undefined` when they say nothing. Throws `ConfigError` for what belongs to another answer. */
export async function saidBy(
  terminal: Terminal,
  flags: AnswerFlags,
  text: string | undefined,
): Promise<Said | undefined> {
  checkCompany(flags);
  if (flags.approve) return { type: "approval", decision: approve(await approvalOptions(terminal, flags)) };
  if (flags.deny !== undefined) {
    return { type: "approval", decision: deny(flags.deny, flags.final ? { final: true } : {}) };
  }
  if (text !== undefined) return { type: "question", text };
  if (flags.plan !== undefined) return { type: "plan", verdict: verdictFrom(flags.plan, flags.correction) };
  return flags.recover && { type: "recovery", decision: recoveryFrom(flags.recover, flags.observation) };
}

/** `said` as a resume takes it. */
export function asBrought(said: Said | undefined): Pick<ResumeOptions, "decision" | "answer" | "verdict" | "recovery"> {
  switch (said?.type) {
    case undefined:
      return {};
    case "approval":
      return { decision: said.decision };
    case "question":
      return { answer: said.text };
    case "plan":
      return { verdict: said.verdict };
    case "recovery":
      return { recovery: said.decision };
    default:
      return said satisfies never;
  }
}

/** Options that mean something beside others only. Given alone they would be lost, and an approval with them. */
function checkCompany({ approve, input, remember, deny, final, plan, correction, recover, observation }: AnswerFlags) {
  const parts = [
    ["--input", input !== undefined, "--approve", approve === true],
    ["--remember", remember !== undefined, "--approve", approve === true],
    ["--final", final === true, "--deny <reason>", deny !== undefined],
    ["--correction", correction !== undefined, "--plan revise", plan === "revise"],
    ["--observation", observation !== undefined, "--recover completed", recover === "completed"],
  ] as const;
  for (const [option, isGiven, company, isThere] of parts) {
    if (isGiven && !isThere)
      throw new ConfigError(`${option} means something with ${company} only. Add that, or drop it.`);
  }
}

async function approvalOptions(
  { cwd }: Terminal,
  { input: file, remember }: AnswerFlags,
): Promise<{ readonly input?: JsonObject; readonly remember?: readonly Rule[] }> {
  const input = file === undefined ? undefined : await readJsonFile(resolve(cwd, file), "arguments");
  if (input !== undefined && !isJsonObject(input))
    throw new ConfigError(`The arguments in ${file} are no JSON object.`);
  return { ...(input && { input }), ...(remember && { remember }) };
}

function verdictFrom(type: NonNullable<AnswerFlags["plan"]>, correction: string | undefined) {
  if (type !== "revise") return { type };
  if (correction === undefined) {
    throw new ConfigError("A plan is sent back with what should be different. Pass --correction <text>.");
  }
  return { type, correction };
}

function recoveryFrom(type: NonNullable<AnswerFlags["recover"]>, observation: string | undefined) {
  if (type !== "completed") return type === "retry" ? retry() : abort();
  if (observation === undefined) {
    throw new ConfigError("A call that took effect has a result, which the model is told. Pass --observation <text>.");
  }
  return completed(observation);
}
