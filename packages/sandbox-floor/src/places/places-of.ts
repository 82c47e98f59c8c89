// Finds the places of a command: resolved, existing and in the order in which a backend puts them in place. What a rule or a default
// names is looked for here, once for every backend.
import type { SandboxCommand } from "@harness/spec";
import type { Aftermath } from "../wrapped.js";
import { deniedPlaces } from "./denied.js";
import { hiddenPlaces } from "./hidden.js";
import { processListings } from "./listings.js";
import { arranged } from "./order.js";
import type { Places, PlacesOptions } from "./places.js";
import { protectedPlaces } from "./protected.js";
import { type Scene, tameNew } from "./repositories.js";
import { settingsOf } from "./settings.js";
import { processWatches, type Watch } from "./watch.js";
import { writablePlaces } from "./writable.js";

/**
 * The places of `command`. Throws `SandboxError` `setup-failed` for grants and denials that contradict each other. Whoever calls
 * it calls `undo` as well, also when the command was never started.
 */
export async function placesOf(command: SandboxCommand, options: PlacesOptions = {}): Promise<Places> {
  const settings = settingsOf(command, options);
  const listings = processListings();
  const granted = writablePlaces(settings, listings);
  const denied = await deniedPlaces(settings, listings);
  const guarded = protectedPlaces(settings, { granted, denied, listings });
  const hidden = hiddenPlaces(settings, denied, listings);
  const watch = processWatches().begin(guarded.watched, guarded.paths);
  const scene = { projects: granted.projects, writable: granted.paths, before: guarded.repositories };
  // To make a repository is no harm, so nobody is to keep a command from it; `undo` sees to what git would obey in it.
  const watched = guarded.watched.filter(({ type }) => type !== "repository");

  return {
    ...arranged({ writable: granted.paths, protected: guarded.paths, hidden: hidden.places, watched }),
    warnings: [...granted.warnings, ...denied.warnings, ...guarded.warnings, ...hidden.warnings],
    undo: undoOf(watch, settings.isExcepted(".git/hooks", ".git/config") ? undefined : scene),
  };
}

/** `scene` is absent when what git obeys is not protected. */
function undoOf(watch: Watch, scene: Scene | undefined): Places["undo"] {
  let done: Promise<Aftermath> | undefined;
  const undo = async () => {
    const names = await watch.undo();
    const repositories = scene ? await tameNew(scene) : { undone: [], warnings: [] };
    return {
      undone: [...names.undone, ...repositories.undone],
      warnings: [...names.warnings, ...repositories.warnings],
    };
  };
  return () => {
    done ??= undo();
    return done;
  };
}
