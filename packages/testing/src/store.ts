// The conformance suite of the `Store` port: every promise that the port makes is a test here. It knows no adapter by name;
// what a store does not declare is skipped, with that as the reason, and so is upkeep that it does not offer. A case gets a store
// in an empty place of its own, so cases neither share state nor depend on their order.
import type { StoreUpkeep } from "@harness/spec";
import { describe, it } from "vitest";
import { answerCases } from "./store/answer-cases.js";
import { appendCases } from "./store/append-cases.js";
import { archiveCases } from "./store/archive-cases.js";
import { blobCases } from "./store/blob-cases.js";
import { closeCases } from "./store/close-cases.js";
import { createCases } from "./store/create-cases.js";
import { deadOwnerCases } from "./store/dead-owner-cases.js";
import { deleteCases, deleteElsewhereCases } from "./store/delete-cases.js";
import { fencingCases } from "./store/fencing-cases.js";
import { followCases, followElsewhereCases } from "./store/follow-cases.js";
import { leaseCases } from "./store/lease-cases.js";
import { readCases } from "./store/read-cases.js";
import { handleCases, reopenCases } from "./store/reopen-cases.js";
import { runsCases } from "./store/runs-cases.js";
import { type Case, type DescribeStoreOptions, offeredUpkeep, openSubject, type UpkeepCase } from "./store/subject.js";
import { sweepCases } from "./store/sweep-cases.js";
import { checkCases, compactCases, sizeCases } from "./store/tidying-cases.js";

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

interface UpkeepGroup {
  readonly title: string;
  readonly cases: Readonly<Record<string, UpkeepCase>>;
  readonly offers: readonly (keyof StoreUpkeep)[];
  readonly needs?: readonly Ability[];
}

const upkeepGroups: readonly UpkeepGroup[] = [
  { title: "size", cases: sizeCases, offers: ["size", "delete"] },
  { title: "delete", cases: deleteCases, offers: ["delete"] },
  { title: "delete from another handle", cases: deleteElsewhereCases, offers: ["delete"], needs: ["survivesReopen"] },
  { title: "sweep", cases: sweepCases, offers: ["sweep"] },
  { title: "archive", cases: archiveCases, offers: ["archive"] },
  { title: "compact", cases: compactCases, offers: ["compact", "delete"] },
  { title: "check", cases: checkCases, offers: ["check"] },
];

/**
 * Registers the conformance suite of a store with vitest. Call it at the top of a test file. What it offers of `StoreUpkeep` is
 * seen by its methods, and proven as well.
 *
 * @example
 * describeStore("sqliteStore", { open: (location) => sqliteStore({ path: location }), survivesReopen: true });
 */
export function describeStore(name: string, options: DescribeStoreOptions): void {
  describe(name, () => {
    for (const { title, cases, needs = [] } of groups) {
      describe(title, () => register(cases, options, undeclared(needs, options)));
    }
    describe("upkeep", async () => {
      const offered = await offeredUpkeep(options);
      for (const { title, cases, offers, needs = [] } of upkeepGroups) {
        const missing = offers.find((method) => !offered.has(method));
        const reason = missing ? `the store does not offer ${missing}` : undeclared(needs, options);
        describe(title, () => register(cases as Readonly<Record<string, Case>>, options, reason));
      }
    });
  });
}

/** Why cases that need these abilities are skipped, if they are. */
function undeclared(needs: readonly Ability[], options: DescribeStoreOptions): string | undefined {
  const lacking = needs.find((ability) => options[ability] !== true);
  return lacking && `the store does not declare ${lacking}`;
}

function register(
  cases: Readonly<Record<string, Case>>,
  options: DescribeStoreOptions,
  skipped: string | undefined,
): void {
  for (const [title, prove] of Object.entries(cases)) {
    if (skipped) {
      it.skip(`${title} [${skipped}]`);
      continue;
    }
    it(title, async () => {
      await using subject = await openSubject(options);
      await prove(subject);
    });
  }
}

export type { DescribeStoreOptions } from "./store/subject.js";
