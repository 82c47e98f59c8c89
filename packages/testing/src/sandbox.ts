// The conformance suite of the `Sandbox` port: every promise that the port makes is a test here, judged by what happened in
// the world. It knows no backend by name; what a sandbox's `enforces` says it does not do is skipped, with that as the
// reason, and what it says it does is tried.
import { describe, it } from "vitest";
import { groups } from "./sandbox/groups.js";
import { type Cases, type DescribeSandboxOptions, type Facts, openSubject } from "./sandbox/subject.js";

/** Generous: a test that fails by this has hung. */
const caseTimeoutMs = 120_000;

/**
 * Registers the conformance suite of a sandbox with vitest. Call it at the top of a test file. Commands are run with this
 * Node, and on POSIX with `sh`; `mkfifo` makes the pipes by which the suite sees that a process is gone.
 *
 * @example
 * describeSandbox("floor", { open: () => floor() });
 */
export function describeSandbox(name: string, options: DescribeSandboxOptions): void {
  describe(name, async () => {
    const { enforces } = await options.open();
    const facts: Facts = { enforces, isWindows: process.platform === "win32" };
    for (const { title, cases } of groups) describe(title, () => register(cases, facts, options));
  });
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
