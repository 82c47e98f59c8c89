// What `harness doctor` is made of: checks, each of which looks at one thing of this machine and tells what it found. A new
// one is a line in `checks.ts`. Nothing is written here, and a check that fails or hangs costs its own section only.
import type { Clock } from "@harness/spec";
import type { Machine } from "./machine.js";

/** `problem`: no run can be driven here until it is put right. `note`: worth knowing. `ok` and `plain`: as it should be, and as it is. */
export type FindingStatus = "ok" | "plain" | "note" | "problem";

/** One line of a section. */
export interface Finding {
  readonly status: FindingStatus;
  readonly name: string;
  readonly text: string;
  /** What to do, for a problem. */
  readonly advice?: string;
}

/** What a check found, for people and for programs. */
export interface Report {
  readonly findings: readonly Finding[];
  /** As JSON has it. Never the value of an environment variable. */
  readonly facts: object;
}

export interface Check {
  /** As a heading; in lower case, the key in JSON. */
  readonly title: string;
  /** Stops what it started when `machine.signal` fires. */
  examine(machine: Machine): Promise<Report>;
}

export interface Section extends Report {
  readonly title: string;
}

/** A check that has not answered by then is given up. */
const longestCheckMs = 30_000;

/** Makes every check, all at once. In the order of `checks`; never rejects. */
export function examineAll(checks: readonly Check[], machine: Machine): Promise<readonly Section[]> {
  return Promise.all(checks.map(async (check) => ({ title: check.title, ...(await examineOne(check, machine)) })));
}

async function examineOne(check: Check, machine: Machine): Promise<Report> {
  const late = new AbortController();
  const signal = AbortSignal.any([machine.signal, late.signal]);
  const work = check.examine({ ...machine, signal }).catch(broken);
  const bound = deadline(machine.clock, () => late.abort("out of time"));
  try {
    return await Promise.race([work, bound.passed]);
  } finally {
    bound.cancel();
  }
}

function deadline(clock: Clock, onLate: () => void) {
  let cancel = () => {};
  const passed = new Promise<Report>((resolve) => {
    cancel = clock.alarm(longestCheckMs, () => {
      onLate();
      resolve(failed(`no answer within ${longestCheckMs / 1_000} seconds`));
    });
  });
  return { passed, cancel };
}

function broken(error: unknown): Report {
  return failed(error instanceof Error ? error.message : String(error));
}

function failed(text: string): Report {
  const advice = "Nothing can be said of this. Look at it by hand, or try again.";
  return { findings: [{ status: "problem", name: "not checked", text, advice }], facts: { error: text } };
}
