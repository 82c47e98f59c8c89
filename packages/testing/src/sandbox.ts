// The conformance suite of the `Sandbox` port: every promise that the port makes is a test here, judged by what happened in
// the world. It knows no backend by name; what a sandbox's `enforces` says it does not do is skipped, with that as the
// reason, and what it says it does is tried. Attacks are tried either way: see attack-tests.ts.
import { tmpdir } from "node:os";
import { describe, it } from "vitest";
import { describeAttacks } from "./sandbox/attack-tests.js";
import { groups } from "./sandbox/groups.js";
import { type Cases, type DescribeSandboxOptions, type Facts, needsOf, openSubject } from "./sandbox/subject.js";

/** Generous: a test that fails by this has hung. */
const caseTimeoutMs = 120_000;

/**
 * Registers the conformance suite of a sandbox with vitest. Call it at the top of a test file. Commands are run with this
 * Node, and on POSIX with `sh`; `mkfifo` makes the pipes by which the suite sees that a process is gone. Attacks that need a program
 * that is not here, such as Python, are skipped and say so.
 *
 * @example
 * describeSandbox("floor", { open: () => floor() });
 */
export function describeSandbox(name: string, options: DescribeSandboxOptions): void {
  describe(name, async () => {
    const facts = await factsOf(options);
    for (const { title, cases } of groups) describe(title, () => register(cases, facts, options));
    describeAttacks(facts, options, caseTimeoutMs);
  });
}

async function factsOf({ open, folder = tmpdir() }: DescribeSandboxOptions): Promise<Facts> {
  const sandbox = await open(needsOf(folder));
  await sandbox.close?.();
  return { enforces: sandbox.enforces, isWindows: process.platform === "win32" };
}

function register(cases: Cases, facts: Facts, options: DescribeSandboxOptions): void {
  for (const [title, { unless, prove }] of Object.entries(cases)) {
    const reason = unless?.(facts);
    if (reason !== undefined) {
      it.skip(`${title} [${reason}]`);
      continue;
    }
    it(title, { timeout: caseTimeoutMs }, async () => {
      await using subject = await openSubject(options);
      await prove(subject);
    });
  }
}

export type { DescribeSandboxOptions } from "./sandbox/subject.js";
