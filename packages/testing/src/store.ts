// The conformance suite of the `Store` port: every promise that the port makes is a test here. It knows no adapter by name;
// what a store does not declare is skipped, with that as the reason. A case gets a store in an empty place of its own, so
// cases neither share state nor depend on their order.
import { describe, it } from "vitest";
import { answerCases } from "./store/answer-cases.js";
import { appendCases } from "./store/append-cases.js";
import { blobCases } from "./store/blob-cases.js";
import { closeCases } from "./store/close-cases.js";
import { createCases } from "./store/create-cases.js";
import { deadOwnerCases } from "./store/dead-owner-cases.js";
import { fencingCases } from "./store/fencing-cases.js";
import { followCases, followElsewhereCases } from "./store/follow-cases.js";
import { leaseCases } from "./store/lease-cases.js";
import { readCases } from "./store/read-cases.js";
import { handleCases, reopenCases } from "./store/reopen-cases.js";
import { runsCases } from "./store/runs-cases.js";
import { type Case, type DescribeStoreOptions, openSubject } from "./store/subject.js";

type Ability = "survivesReopen" | "follows" | "seesDeadOwners";

interface Group {
  readonly title: string;
  readonly cases: Readonly<Record<string, Case>>;
  readonly needs?: readonly Ability[];
}

const groups: readonly Group[] = [
  { title: "create", cases: createCases },
  { title: "acquire and release", cases: leaseCases },
  { title: "a dead owner", cases: deadOwnerCases, needs: ["seesDeadOwners"] },
  { title: "append", cases: appendCases },
  { title: "fencing", cases: fencingCases },
  { title: "read", cases: readCases },
  { title: "runs", cases: runsCases },
  { title: "answers", cases: answerCases },
  { title: "blobs", cases: blobCases },
  { title: "close", cases: closeCases },
  { title: "follow", cases: followCases, needs: ["follows"] },
  { title: "opened again", cases: reopenCases, needs: ["survivesReopen"] },
  { title: "two handles on one place", cases: handleCases, needs: ["survivesReopen"] },
  { title: "follow from another handle", cases: followElsewhereCases, needs: ["survivesReopen", "follows"] },
];

/**
 * Registers the conformance suite of a store with vitest. Call it at the top of a test file.
 *
 * @example
 * describeStore("sqliteStore", { open: (location) => sqliteStore({ path: location }), survivesReopen: true });
 */
export function describeStore(name: string, options: DescribeStoreOptions): void {
  describe(name, () => {
    for (const group of groups) describe(group.title, () => register(group, options));
  });
}

function register({ cases, needs = [] }: Group, options: DescribeStoreOptions): void {
  const lacking = needs.find((ability) => options[ability] !== true);
  for (const [title, prove] of Object.entries(cases)) {
    if (lacking) {
      it.skip(`${title} [the store does not declare ${lacking}]`);
      continue;
    }
    it(title, async () => {
      await using subject = await openSubject(options);
      await prove(subject);
    });
  }
}

export type { DescribeStoreOptions } from "./store/subject.js";
