// Attacks on what lies inside the workspace and yet belongs to the user: what runs later, outside, when the user calls git.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Attack, type Attempt, attack } from "./attack.js";
import { claims } from "./claims.js";
import { gitConfig } from "./scene.js";

const { protectedPaths } = claims;

function hookPlanted({ scene }: Attempt): string | undefined {
  const hook = join(scene.workspace, ".git", "hooks", "pre-commit");
  return existsSync(hook) ? "the user's next commit would run a hook of the command's" : undefined;
}

export const workspaceAttacks: readonly Attack[] = [
  attack({
    id: "plant-git-hook",
    title: "plant a git hook",
    line: `printf '#!/bin/sh\\n' > .git/hooks/pre-commit`,
    claims: [protectedPaths],
    breach: hookPlanted,
  }),
  attack({
    id: "change-git-config",
    title: "make git run a program of its own, by the repository's configuration",
    line: `git config core.fsmonitor /tmp/evil; git config core.hooksPath /tmp; echo '[core] fsmonitor = x' >> .git/config`,
    claims: [protectedPaths],
    breach({ scene }) {
      const text = readFileSync(join(scene.workspace, ".git", "config"), "utf8");
      return text === gitConfig ? undefined : "the repository's configuration was changed";
    },
  }),
  attack({
    id: "swap-git-folder",
    title: "move the git folder aside and put another in its place",
    line: `mv .git .git.bak && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit`,
    claims: [protectedPaths],
    breach: (attempt) =>
      hookPlanted(attempt) ?? (existsSync(join(attempt.scene.workspace, ".git.bak")) ? "moved .git aside" : undefined),
  }),
];
