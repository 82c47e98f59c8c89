// The Node that runs this program, and the machine under it.
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";

export const nodeCheck: Check = { title: "Node", examine: async (machine) => nodeReport(machine) };

function nodeReport({ node, system }: Pick<Machine, "node" | "system">): Report {
  const isSupported = isAtLeast(node.version, node.oldest);
  const { platform, arch, release } = system;
  const version: Finding = isSupported
    ? { status: "ok", name: "version", text: `${node.version} (${node.oldest} or later is needed)` }
    : {
        status: "problem",
        name: "version",
        text: `${node.version} is too old`,
        advice: `Install Node ${node.oldest} or later.`,
      };
  return {
    findings: [version, { status: "plain", name: "system", text: `${platform} ${arch}, ${release}` }],
    facts: { version: node.version, oldest: node.oldest, isSupported, program: node.program, ...system },
  };
}

/** Compares `major.minor.patch`. What comes before a release is taken for it. */
function isAtLeast(version: string, oldest: string): boolean {
  const [have, need] = [numbers(version), numbers(oldest)];
  for (const [index, wanted] of need.entries()) {
    const found = have[index] ?? 0;
    if (found !== wanted) return found > wanted;
  }
  return true;
}

function numbers(version: string): readonly number[] {
  return version
    .replace(/^v/, "")
    .split(/[.+-]/)
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0);
}
