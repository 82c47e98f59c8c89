// What the runner runs. A measure is on its own: it brings its baseline, and leaves nothing behind.
import type { Row } from "./row.js";

export interface Plan {
  /** How many rounds to take where `usual` are enough. At least 1. */
  rounds(usual: number): number;
  readonly isQuick: boolean;
}

export interface Measure {
  /** What `--only` looks for. */
  readonly name: string;
  run(plan: Plan): Promise<readonly Row[]>;
}

export function plan(isQuick: boolean): Plan {
  return { isQuick, rounds: (usual) => (isQuick ? Math.max(1, Math.ceil(usual / 3)) : usual) };
}
