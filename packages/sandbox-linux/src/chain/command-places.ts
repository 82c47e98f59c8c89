// The places of a command as whoever runs it has them: its home is where keys are hidden and caches granted, and what it does not
// get to needs no rule.
import { type Places, type PlacesOptions, placesOf } from "@harness/sandbox-floor";
import type { SandboxCommand, SandboxNeeds } from "@harness/spec";
import { type Identity, reachable, reachOf } from "../user/reach.js";
import type { RunAs } from "../user/run-as.js";

export type PlacesFor = (command: SandboxCommand) => Promise<Places>;

/** `user`: as in `RungRequest`. */
export function placesFor(user: RunAs | undefined, options: PlacesOptions = {}): PlacesFor {
  const { environment = process.env, home = user?.variables.HOME } = options;
  const theirs: PlacesOptions =
    user && home !== undefined ? { ...options, home, environment: { ...environment, HOME: home } } : options;
  const identity = identityOf(user);
  return async (command) => {
    const places = await placesOf(command, theirs);
    return identity ? reachable(places, reachOf(identity)) : places;
  };
}

/** Of whoever may not get to what this process does; `undefined` where that is the same. */
function identityOf(user: RunAs | undefined): Identity | undefined {
  if (user) return { uid: user.uid, groups: [user.gid] };
  return process.getuid?.() === 0 ? { uid: 0, groups: process.getgroups?.() ?? [] } : undefined;
}

/** What the commands of a run may write beside the workspace. */
export async function rootsOf(needs: SandboxNeeds, places: PlacesFor): Promise<readonly string[]> {
  const { workspace, mode, egress } = needs;
  const found = await places({ argv: ["true"], cwd: workspace, workspace, mode, egress });
  await found.undo();
  return found.writable.filter((path) => path !== workspace);
}
