// Folders for tests of what holds commands: outside of the temporary folders, which contained commands have of their own.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface TestFolder extends Disposable {
  /** Resolved. */
  readonly path: string;
}

export function testFolder(parent: string = homedir()): TestFolder {
  const path = realpathSync(mkdtempSync(join(parent, ".harness-test-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
