// What a person reads before anything happens.
import pc from "picocolors";
import type { LiveModel } from "./live-model.js";
import { liveLimits } from "./order.js";

export interface IntroductionFacts {
  /** Where the copy of the project lies. */
  readonly folder: string;
  /** Who plays: the script, what `--provider` named, or a model that the environment has a key for. */
  readonly model: "scripted" | "named" | LiveModel;
  /** The command that goes on with the run. */
  readonly resume: string;
}

export function introduction({ folder, model, resume }: IntroductionFacts): string {
  return [
    pc.bold("An agent repairs a small project"),
    "",
    "`npm test` fails in a copy of apps/demo/project that is made for this run.",
    "The agent may read everything, write under src/ and run `npm test`; it may not",
    "write under test/. After each of its steps `npm test` is run, and when it",
    "passes the job is done.",
    "",
    ...modelLines(model),
    "",
    "Kill it at any moment: what it has done is kept, and it goes on with",
    `  ${resume}`,
    "",
    pc.dim(`The copy: ${folder}`),
    "",
    "",
  ].join("\n");
}

function modelLines(model: IntroductionFacts["model"]): readonly string[] {
  if (model === "scripted") return scripted.map((line) => pc.yellow(line));
  if (model === "named") return ["The model is the one you named."];
  return live(model).map((line) => pc.yellow(line));
}

function live({ provider, model, because }: LiveModel): readonly string[] {
  return [
    `A REAL MODEL plays: ${model}, by --provider ${provider},`,
    `because ${because}. What it costs is charged by its`,
    `vendor: a few cents as a rule, and at most what ${mostTokens} tokens cost, and the answer`,
    "that goes beyond them. The scripted model in its place: npm start -- --offline",
  ];
}

const mostTokens = liveLimits.maxTokens.toLocaleString("en-US");

const scripted = [
  "A SCRIPTED MODEL plays: it says what was written for it beforehand, and its token",
  "counts are made up. Everything else is real: files, commands, rules and the trace.",
  "A real one: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY, or",
  "HARNESS_BASE_URL and HARNESS_MODEL; or npm start -- --provider <name or module>",
];
