// Ends a command's tree on Windows. Written from the documentation and never run on Windows. `taskkill` follows links to
// parents, so it must be asked while the direct child lives, and a process that lost its parent before is not found.
import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Root } from "./members.js";
import type { ProcessTree } from "./process-tree.js";

/** Windows has no polite signal for a program without a window, so there is no grace. */
export function windowsTree(root: Root, environment: Readonly<Record<string, string | undefined>>): ProcessTree {
  const program = join(environment.SYSTEMROOT ?? environment.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
  const end = () =>
    new Promise<void>((resolve) => {
      // An error means that it was gone already, which is what was wanted.
      execFile(program, ["/PID", String(root.pid), "/T", "/F"], { windowsHide: true }, () => resolve());
    });

  return {
    hasSurvivors: () => false,
    learn: () => {},
    enclose: () => {},
    enclosure: undefined,
    end: () => (root.hasExited ? Promise.resolve() : end()),
    endNow: () => void end(),
  };
}
