// What results say of a sandbox's word. It may stop more than a field says, since a field stands for several attacks; but where a
// field says that something is not held, something must have got through, or the field is as wrong as one that promises too much.
import type { AttackResult } from "./try-attack.js";

/** What the results show to be false or broken, a sentence each. Empty when the sandbox keeps its word. */
export function falseDeclarations(results: readonly AttackResult[]): readonly string[] {
  const failed = results.filter(({ result }) => result === "failed");
  // Where no command runs at all, every one has the same to say.
  const reasons = [...new Set(failed.map(({ evidence }) => evidence))];
  const untold = reasons.map((reason) => {
    const ids = failed.filter(({ evidence }) => evidence === reason).map(({ id }) => id);
    return `Nothing can be said of ${ids.length > 3 ? `${ids.length} attacks` : ids.join(", ")}: ${reason}.`;
  });
  const others = results.filter(({ result }) => result !== "failed");
  return [...untold, ...others.flatMap((result) => wrongIn(result) ?? []), ...tooShy(results)];
}

/** What one result shows to be wrong, whatever the others are; `undefined` for nothing. */
export function wrongIn({ id, title, fields, expected, result, evidence }: AttackResult): string | undefined {
  if (result === "failed") return `${id}: a command could not be tried: ${evidence}.`;
  if (id === "work" && result === "stopped") return `A command could not ${title}: ${evidence}.`;
  if (expected !== "stopped" || result !== "succeeded") return undefined;
  const said =
    fields.length === 0 ? "every sandbox stops that" : `enforces.${fields.join(" and ")} says that this is stopped`;
  return `${id}: a command could ${title} (${evidence}), though ${said}.`;
}

function tooShy(results: readonly AttackResult[]): readonly string[] {
  const open = results.filter(({ id, expected }) => id !== "work" && expected === "succeeded");
  const fields = new Set(open.flatMap(({ openFields }) => openFields));
  return [...fields].flatMap((field) => {
    const tried = open.filter(({ openFields, result }) => openFields.includes(field) && result !== "not-tried");
    const isShown = tried.length === 0 || tried.some(({ result }) => result !== "stopped");
    return isShown
      ? []
      : [`enforces.${field} says that less is held than is: ${tried.map(({ id }) => id).join(", ")} got nowhere.`];
  });
}
