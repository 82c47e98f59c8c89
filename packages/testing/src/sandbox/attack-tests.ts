// The attacks as tests. What a sandbox says is stopped must be stopped. What it says is not is shown to get through, so that the
// declaration is true: attack by attack where that can be, and for every such field by one attack at least.
import type { Enforcement } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { Attack } from "../attacks/attack.js";
import { attackFolder, unfit } from "../attacks/attack-folder.js";
import { attacks } from "../attacks/attack-list.js";
import { falseDeclarations, wrongIn } from "../attacks/declarations.js";
import { type AttackResult, type Trial, tryAttack, tryWork } from "../attacks/try-attack.js";
import type { DescribeSandboxOptions, Facts } from "./subject.js";

type Skip = (note: string) => void;

export function describeAttacks(
  { enforces, isWindows }: Facts,
  options: DescribeSandboxOptions,
  timeout: number,
): void {
  const title = isWindows ? "attacks [they are written for sh]" : "attacks";
  describe.skipIf(isWindows)(title, () => {
    const trial = trialOf(options);
    const results: AttackResult[] = [];
    const prove = async (result: AttackResult, skip: Skip) => {
      results.push(result);
      expect(wrongIn(result)).toBeUndefined();
      if (result.result !== result.expected) skip(result.evidence);
    };

    it("lets honest work be done", { timeout }, async ({ skip }) => prove(await tryWork(trial), skip));
    for (const one of attacks) {
      const kind = one.isHeavy ? it : it.concurrent;
      kind(titleOf(one, enforces), { timeout }, async ({ skip }) => prove(await tryAttack(one, trial), skip));
    }
    it("show that what is declared not to be held is not", () => expect(falseDeclarations(results)).toEqual([]));
  });
}

function trialOf({ folder, open }: DescribeSandboxOptions): Trial {
  const isFit = folder !== undefined && unfit(folder) === undefined;
  return { sandbox: (needs) => open(needs), folder: isFit ? folder : attackFolder() };
}

function titleOf(one: Attack, enforces: Enforcement): string {
  return one.isStoppedBy(enforces)
    ? `stops a command that tries to ${one.title}`
    : `says that a command could ${one.title}`;
}
