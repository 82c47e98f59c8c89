// What a person reads before anything happens.
import pc from "picocolors";

export interface IntroductionFacts {
  /** Where the copy of the project lies. */
  readonly folder: string;
  readonly isScripted: boolean;
  /** The command that goes on with the run. */
  readonly resume: string;
}

export function introduction({ folder, isScripted, resume }: IntroductionFacts): string {
  return [
    pc.bold("An agent repairs a small project"),
    "",
    "`npm test` fails in a copy of apps/demo/project that is made for this run.",
    "The agent may read everything, write under src/ and run `npm test`; it may not",
    "write under test/. After each of its steps `npm test` is run, and when it",
    "passes the job is done.",
    "",
    ...(isScripted ? scripted.map(pc.yellow) : ["The model is the one you named."]),
    "",
    "Kill it at any moment: what it has done is kept, and it goes on with",
    `  ${resume}`,
    "",
    pc.dim(`The copy: ${folder}`),
    "",
    "",
  ].join("\n");
}

const scripted = [
  "No model of yours was named, so a SCRIPTED MODEL plays: it says what was written",
  "for it beforehand, and its token counts are made up. Everything else is real:",
  "files, commands, rules and the trace. Yours: npm start -- --provider <module>",
];
