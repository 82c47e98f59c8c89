// Between the floor and a rung: finds the command's places, has the rung put itself in front, and sees to it that what was
// watched is put right afterwards, whatever happened.
import type { FloorOptions, Places, Wrapped } from "@harness/sandbox-floor";
import type { Rung } from "../rung.js";
import type { RunAs } from "../user/run-as.js";
import type { PlacesFor } from "./command-places.js";

/** Of each memory-backed folder of a command without a cap on them. */
const usualTempBytes = 512 * 1024 * 1024;

export function wrapBy(rung: Rung, placesFor: PlacesFor, user: RunAs | undefined): NonNullable<FloorOptions["wrap"]> {
  return async (request) => {
    const { command } = request;
    const places = await placesFor(command);
    const tempBytes = command.limits?.maxTempBytes ?? usualTempBytes;
    try {
      const wrapped = await rung.wrap({ ...request, places, tempBytes, user });
      const variables = { ...without(user?.variables ?? {}, command.env ?? {}), ...wrapped.variables };
      return { ...wrapped, variables, ...(user && { user }), after: afterBoth(places, wrapped.after) };
    } catch (error) {
      await places.undo();
      throw error;
    }
  };
}

/** What a command was given by name stays. */
function without(variables: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in given)));
}

function afterBoth(places: Places, after: Wrapped["after"]): NonNullable<Wrapped["after"]> {
  return async () => {
    const all = await Promise.all([places.undo(), after?.()]);
    return {
      undone: all.flatMap((aftermath) => aftermath?.undone ?? []),
      warnings: [...places.warnings, ...all.flatMap((aftermath) => aftermath?.warnings ?? [])],
    };
  };
}
