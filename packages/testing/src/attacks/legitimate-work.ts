// What every sandbox must let a command do. A boundary that keeps work from being done would stop every attack as well.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "./attack.js";

/** For `sh -c`, like an attack's line. */
export const workLine = `echo hi > f1 && mkdir -p d && echo x > d/f2 && git add -A . &&
git -c user.name=a -c user.email=b@c commit -qm x && git status --short > status && "$NODE" -e 'console.log("SUM", 1 + 1)' &&
echo c > "$CACHE/c" && echo x > /dev/null && mktemp > /dev/null && echo ALL-DONE`;

export const workNeeds = ["git"];

/** Why the work was not done; `undefined` when it was. */
export function undoneWork({ scene, outcome }: Attempt): string | undefined {
  const { text } = outcome.stdout;
  const { workspace, cache } = scene;
  const done = [
    ["a file in the workspace", existsSync(join(workspace, "d", "f2"))],
    ["a commit", existsSync(join(workspace, ".git", "refs", "heads", "main"))],
    ["a program's answer", text.includes("SUM 2")],
    ["a file in the cache", existsSync(join(cache, "c"))],
    [
      "a clean status",
      existsSync(join(workspace, "status")) && readFileSync(join(workspace, "status"), "utf8") === "?? status\n",
    ],
    ["the end of the line", text.includes("ALL-DONE")],
  ] as const;
  const missing = done.filter(([, is]) => !is).map(([what]) => what);
  return missing.length === 0 ? undefined : `there is no ${missing.join(", no ")}: ${outcome.stderr.text.trim()}`;
}
