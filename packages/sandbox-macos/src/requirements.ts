// What a run may insist on. It is compared with what the sandbox that it would get enforces, and one that falls short is refused
// before anything is started.
import type { Sandbox } from "@harness/spec";

/** `true` insists on the native backend; an object on what it names, whoever holds it. */
export type MacosRequirements =
  | boolean
  | {
      /** Contents are written below the roots only. */
      readonly writes?: true;
      /** A run that denies egress gets a backend that stops it. */
      readonly egress?: true;
      /** No socket of the host's can be reached. */
      readonly unixSockets?: true;
      readonly treeKill?: "kernel";
    };

/** What of `required` the sandbox does not hold: each the end of a sentence. */
export function unmet(required: MacosRequirements, { backend, enforces }: Sandbox): readonly string[] {
  if (required === true) return backend === "portable-floor" ? ["contain commands"] : [];
  if (required === false) return [];
  const demands: readonly (readonly [asked: boolean, holds: boolean, what: string])[] = [
    [required.writes === true, enforces.writes, "keep writes below the granted folders"],
    [required.egress === true, enforces.egress !== "none" && enforces.egress !== "advisory", "deny the network"],
    [required.unixSockets === true, enforces.unixSockets, "close the sockets of the host"],
    [
      required.treeKill === "kernel",
      enforces.treeKill === "kernel",
      "end everything that a command started for certain",
    ],
  ];
  return demands.flatMap(([asked, holds, what]) => (asked && !holds ? [what] : []));
}
