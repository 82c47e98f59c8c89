// The rungs, strongest first. The order is the choice: see `chooseRung`.
import { bubblewrapRung } from "../bubblewrap/bubblewrap-rung.js";
import { landlockRung } from "../landlock/landlock-rung.js";
import { namespacesRung } from "../namespaces/namespaces-rung.js";
import type { Rung } from "../rung.js";

/**
 * The ways of this package to hold commands, strongest first. Nothing has been tried yet; `probe` of each says whether it works
 * here, and if not, why and what would help.
 */
export function linuxRungs(): readonly Rung[] {
  return [bubblewrapRung(), namespacesRung(), landlockRung()];
}
