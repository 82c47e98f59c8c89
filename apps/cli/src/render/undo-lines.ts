// What came of an undoing, file by file, and what no undoing takes back.
import type { RewoundFile, RewoundRun, RewoundStep } from "io-harness";
import type { Paint } from "./paint.js";
import { clip, printable } from "./printable.js";
import { marks } from "./style.js";

type Refused = Extract<RewoundFile, { type: "refused" }>;

const notKept = {
  secret: "it held a secret, which is not kept",
  archived: "the run's words were archived",
  missing: "the store has lost it",
  unknown: "what is kept does not match what the log says of it",
} as const;

export function rewoundFileLines(files: readonly RewoundFile[], paint: Paint): readonly string[] {
  const refused = files.filter((file): file is Refused & { readonly path: string } => file.type === "refused");
  return [...files.map((file) => fileLine(file, paint)), ...adviceFor(refused)];
}

export function rewoundRunLines({ files, commands, otherEffects }: RewoundRun, paint: Paint): readonly string[] {
  const left = [
    ...(commands > 0 ? [`what ${counted(commands, "command")} did`] : []),
    ...(otherEffects > 0 ? [`what ${counted(otherEffects, "call")} changed that is no file of the workspace`] : []),
  ];
  return [
    ...(files.length === 0 ? ["The run's tools wrote to no file."] : rewoundFileLines(files, paint)),
    ...(left.length === 0 ? [] : [paint.yellow(`Not undone: ${left.join(", and ")}.`)]),
  ];
}

export function rewoundStepLines(result: RewoundStep, step: number, paint: Paint): readonly string[] {
  const { good, bad, note } = marks(paint);
  switch (result.type) {
    case "applied":
      return result.files.map(({ path, type }) =>
        type === "removed"
          ? `${good} ${printable(path)} is gone, which step ${step} had made`
          : `${good} ${printable(path)} is without the changes of step ${step}`,
      );
    case "stale":
      return [`${note} ${printable(result.path)} has moved on since step ${step}, so nothing was undone`];
    case "no-hunk": {
      const where = result.path === null ? "" : `${printable(result.path)}: `;
      return [`${note} nothing was undone: ${where}${printable(result.reason)}`];
    }
    case "refused":
      return [fileLine(result, paint), "Nothing of the step was undone.", ...adviceFor([result])];
    case "failed":
      return [`${bad} ${printable(result.path)}: ${printable(result.reason)}`, "Nothing of the step was undone."];
    default:
      return result satisfies never;
  }
}

function fileLine(file: RewoundFile, paint: Paint): string {
  const { good, bad, note } = marks(paint);
  const path = printable(file.path);
  switch (file.type) {
    case "restored":
      return `${good} ${path} is as it was before the run`;
    case "removed":
      return `${good} ${path} is gone, which the run had made`;
    case "stale":
      return `${note} ${path} is left alone: somebody has changed it since the run; --force undoes that, too`;
    case "not-kept":
      return `${note} ${path} is left alone: ${notKept[file.why]}`;
    case "not-recorded":
      return `${note} ${path} is left alone: no tool of the run wrote to it`;
    case "refused":
      return `${bad} ${path} is left alone: ${clip(file.reason, 300)}`;
    case "failed":
      return `${bad} ${path}: ${printable(file.reason)}`;
    default:
      return file satisfies never;
  }
}

/** No rule lets a path through that is a link by now, so there is nothing to advise about those. */
function adviceFor(refused: readonly Refused[]): readonly string[] {
  if (refused.some(({ effect }) => effect === "ask")) {
    return [
      "An undo asks nobody, so what the policy wants asked about is refused. To say that you mean it, give a policy that allows it: --policy <policy.json>.",
    ];
  }
  return refused.some(({ reason }) => reason.startsWith("the policy "))
    ? ["To undo it all the same, give a policy that allows it: --policy <policy.json>."]
    : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
