// Stands in for `sandbox-exec`: keeps what it was given and runs the command as it is, or lets a line of shell do it.
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface FakeSandboxExec extends Disposable {
  /** A folder of the test's own. */
  readonly folder: string;
  readonly program: string;
  /** The arguments of the last call up to the command's own. */
  given(): readonly string[];
}

/** `line` gets the command as its arguments. */
export function fakeSandboxExec(line = 'exec "$@"'): FakeSandboxExec {
  const folder = realpathSync(mkdtempSync(join(homedir(), "macos-")));
  const [program, given] = [join(folder, "sandbox-exec"), join(folder, "given")];
  const skip = `while [ "$1" != "--" ]; do printf '%s\\0' "$1" >> '${given}'; shift; done; shift`;
  writeFileSync(program, `#!/bin/sh\n: > '${given}'\n${skip}\n${line}\n`);
  chmodSync(program, 0o755);
  return {
    folder,
    program,
    given: () => readFileSync(given, "utf8").split("\0").slice(0, -1),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
