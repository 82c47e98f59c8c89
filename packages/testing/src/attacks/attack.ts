// What an attack is: a line for `sh`, who must stop it, and a look at the world that tells whether it was stopped. An exit code
// decides nothing here, and neither does what a line prints, unless it prints what it could not know otherwise.
import type { Enforcement, SandboxLimits, SandboxOutcome } from "@harness/spec";
import type { Claim } from "./claims.js";
import type { Scene } from "./scene.js";

/** One attempt at an attack, over. */
export interface Attempt {
  readonly scene: Scene;
  readonly outcome: Pick<SandboxOutcome, "exitCode" | "signal" | "capHit" | "stopped" | "stdout" | "stderr">;
}

export interface AttackFacts {
  /** Kebab-case; does not change. */
  readonly id: string;
  /** What it tries, so that "a command can" may stand before it. */
  readonly title: string;
  /** For `sh -c`. Its variables are those of the scene. */
  readonly line: string;
  /** What stops it: all of these. None for what every sandbox stops. */
  readonly claims: readonly Claim[];
  /** Programs that the line runs, absolute paths that it works on, and `x64` or `linux` for what only such a machine has. */
  readonly needs?: readonly string[];
  /** Default `usualLimits`. */
  readonly limits?: SandboxLimits;
  /** It takes so much of the machine that nothing else is tried meanwhile. */
  readonly isHeavy?: boolean;
  /** Stopping it may mean to end the whole line; another line that does not reach its end was not tried. */
  readonly mayBeCutShort?: boolean;
  readonly timeoutMs?: number;
  /** Why it proves nothing on this machine. */
  readonly unless?: () => string | undefined;
  /** Looks at the world when the command is over: what shows that the attack got through, in words; else `undefined`. */
  readonly breach: (attempt: Attempt) => string | undefined | Promise<string | undefined>;
}

export interface Attack extends AttackFacts {
  /** The fields of `Enforcement` on which it depends whether it is stopped. Empty for what every sandbox stops. */
  readonly fields: readonly (keyof Enforcement)[];
  /** True when a sandbox that keeps its word stops it. */
  isStoppedBy(enforces: Enforcement): boolean;
}

export function attack(facts: AttackFacts): Attack {
  return {
    ...facts,
    fields: facts.claims.map(({ field }) => field),
    isStoppedBy: (enforces) => facts.claims.every((claim) => claim.holds(enforces)),
  };
}

/** The first line of what a command printed that begins with `start`, without it. */
export function lineAfter({ outcome }: Attempt, start: string): string | undefined {
  const line = outcome.stdout.text.split("\n").find((line) => line.startsWith(start));
  return line?.slice(start.length).trim();
}
