// What the rung is built of on this machine, found once by the probe.
import type { UnnamedFile } from "../filter/unnamed-file.js";
import type { Features } from "./features.js";
import type { Host } from "./host.js";

export interface Tools {
  readonly bwrap: string;
  readonly sh: string;
  /** Absent: a command has no limit on its processes but the look at them. */
  readonly prlimit: string | undefined;
  /** Absent: commands share no network. */
  readonly nsenter: string | undefined;
  readonly features: Features;
  readonly host: Host;
  /** Absent on an architecture that has none. */
  readonly filter: UnnamedFile | undefined;
}
