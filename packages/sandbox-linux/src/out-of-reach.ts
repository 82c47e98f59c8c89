// What stands in front of a command must not be what an earlier one wrote.
import { realpathSync } from "node:fs";
import { SandboxError } from "@harness/spec";
import type { RungRequest } from "./rung.js";
import { isWithin } from "./within.js";

/** Throws `SandboxError` `setup-failed` when one of `programs` lies where commands may write. */
export function assertOutOfReach({ program: wanted, places }: RungRequest, programs: readonly string[]): void {
  for (const program of programs) {
    const real = realpathSync.native(program);
    const writable = places.writable.find((folder) => isWithin(folder, real));
    if (!writable) continue;
    const reason = `${program}, which would hold it, lies in ${writable}, which commands may write`;
    const advice = "Grant a folder that holds no programs of the system.";
    throw new SandboxError("setup-failed", `Could not start ${JSON.stringify(wanted)}: ${reason}. ${advice}`);
  }
}
