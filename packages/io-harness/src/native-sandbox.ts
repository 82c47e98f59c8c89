// The strongest way of this platform to hold commands. Which one that is is found out when a run asks for it, once per process;
// a platform without one gets the floor, and the trace and the agent are told so.
import { type FloorOptions, floor, type PlacesOptions } from "@harness/sandbox-floor";
import { linuxSandbox, type Requirements } from "@harness/sandbox-linux";
import { macosSandbox } from "@harness/sandbox-macos";
import { type Backend, SandboxError, type SandboxSource } from "@harness/spec";
import { defaultStorePath } from "@harness/store-sqlite";

export interface NativeSandboxOptions {
  /**
   * What must hold; otherwise the run is refused before a model is asked, with what is missing and how to get it. `true`: writes are
   * confined, and so is the network of a run that denies it. Default: nothing is required, the strongest that works is used.
   */
  readonly required?: boolean | Requirements;
  /** This backend or none. */
  readonly only?: Backend;
  /** Caches, protected and hidden paths, on top of the usual ones. */
  readonly places?: PlacesOptions;
  /** For what starts and ends the commands: secrets, graces, how much output is kept. */
  readonly floor?: Omit<FloorOptions, "backend" | "enforces" | "isAvailable" | "wrap" | "wrapperSets">;
}

/** The sandboxes of this machine: bubblewrap, namespaces or Landlock on Linux, Seatbelt on macOS, else the portable floor. */
export function nativeSandbox(options: NativeSandboxOptions = {}): SandboxSource {
  const hiding = { ...options, places: hidingStore(options.places) };
  switch (process.platform) {
    case "linux":
      return linuxSandbox(hiding);
    case "darwin":
      return macosSandbox(hiding);
    default:
      return () => uncontained(options);
  }
}

/** No command reads what other runs did. Where nothing says where that is, nothing is there. */
function hidingStore(places: PlacesOptions = {}): PlacesOptions {
  const { hidden = [] } = places;
  try {
    const store = defaultStorePath();
    return { ...places, hidden: [...hidden, ...["", "-wal", "-shm"].map((suffix) => store + suffix)] };
  } catch {
    return places;
  }
}

function uncontained({ required = false, only, floor: surroundings }: NativeSandboxOptions) {
  const lack = `Nothing contains commands on ${process.platform}: they may write, read and dial whatever this user may. Run it on Linux or macOS, or in a container.`;
  const isWanted = required !== false && (required === true || Object.keys(required).length > 0);
  if (isWanted || (only !== undefined && only !== "portable-floor")) throw new SandboxError("requirement-unmet", lack);
  return { ...floor(surroundings), boundary: { roots: [], missing: [lack] } };
}
