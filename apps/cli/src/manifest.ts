// What this program's own package.json says of it. Read when it is asked for, from beside the built files and the sources alike:
// this file has to stay one folder below it.
import { readFileSync } from "node:fs";

export interface Manifest {
  readonly version: string;
  /** The oldest Node that it runs on: `20.19.0`. */
  readonly oldestNode: string;
}

export function manifest(): Manifest {
  const { version, engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return { version, oldestNode: engines.node.replace(/^>=/, "") };
}
