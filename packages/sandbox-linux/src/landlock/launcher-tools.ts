// What the launcher needs of this machine.
import type { RungRequest } from "../rung.js";
import { systemProgram } from "../system-programs.js";
import { type LauncherArchitecture, type LaunchStep, launcherArchitecture, launcherWords } from "./launcher-words.js";

export interface Launcher {
  readonly perl: string;
  readonly architecture: LauncherArchitecture;
}

/** Or why there is none: a sentence. */
export function findLauncher(architecture: string = process.arch): Launcher | { readonly problem: string } {
  const perl = systemProgram("perl");
  const known = launcherArchitecture(architecture);
  if (known === undefined) {
    return { problem: `The numbers of the kernel's calls on ${architecture} are not known here; x64 and arm64 are.` };
  }
  if (perl === undefined) {
    return { problem: "Perl, which makes the calls of the kernel's, is not installed; install perl-base." };
  }
  return { perl, architecture: known };
}

/** What to start in place of the command of `request`. */
export function launched(
  request: RungRequest,
  { perl, architecture }: Launcher,
  steps: readonly LaunchStep[],
  more?: string,
): [string, ...string[]] {
  const { argv } = request.command;
  return launcherWords({ perl, architecture, steps, more, file: fileOf(request), argv });
}

/** What its limits are set by stands in front by its path; a name is the command's own, and was found already. */
function fileOf({ command, program }: RungRequest): string {
  const [first] = command.argv;
  if (first.includes("/")) return first;
  return program.includes("/") ? program : (systemProgram(program) ?? `/usr/bin/${program}`);
}
