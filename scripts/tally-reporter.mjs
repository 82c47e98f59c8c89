// A vitest reporter that counts, and keeps why each skipped test was skipped, which the JSON reporter leaves out. Writes to the
// file that HARNESS_TALLY names.
import { writeFileSync } from "node:fs";

export default class TallyReporter {
  onTestRunEnd(modules) {
    const tally = { passed: 0, failed: 0, skipped: [] };
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) tally.failed += 1;
      for (const test of module.children.allTests()) count(tally, test);
    }
    writeFileSync(process.env.HARNESS_TALLY, JSON.stringify(tally));
  }
}

function count(tally, test) {
  const { state, note } = test.result();
  if (state === "passed") tally.passed += 1;
  else if (state === "skipped") tally.skipped.push({ suite: suiteOf(test), reason: note ?? bracketed(test) });
  else tally.failed += 1;
}

function suiteOf(test) {
  return test.fullName.split(" > ")[0];
}

/** The name of a test, or of what it is in, ends with the reason in brackets. */
function bracketed({ fullName }) {
  const ends = fullName.split(" > ").reverse();
  const reason = ends.map((name) => /\[([^\]]+)\]$/.exec(name)?.[1]).find((found) => found !== undefined);
  return reason ?? `"${fullName}" does not say why`;
}
