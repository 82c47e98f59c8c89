// Where the programs in front of a command are: the system's own, never found by a PATH. What a command then names itself is its
// own affair.
import { systemProgram as inUsualFolders } from "@harness/sandbox-floor";

const further = ["/usr/sbin", "/sbin", "/usr/local/bin", "/nix/var/nix/profiles/default/bin"];

/** The absolute path of the system's own `name`, `undefined` where there is none. */
export function systemProgram(name: string): string | undefined {
  return inUsualFolders(name, further);
}
