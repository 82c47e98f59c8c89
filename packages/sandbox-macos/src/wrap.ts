// What stands in front of a command: sandbox-exec, the parameters of its profile, the profile itself.
import { realpathSync } from "node:fs";
import {
  type Aftermath,
  makeTempFolder,
  type PlacesOptions,
  placesOf,
  type TempFolder,
  type Wrapped,
  type WrapRequest,
} from "@harness/sandbox-floor";
import { SandboxError } from "@harness/spec";
import { type Profile, seatbeltProfile } from "./profile.js";

export interface WrapOptions {
  readonly program: string;
  readonly places?: PlacesOptions | undefined;
}

/** The system takes 1 MiB for arguments and environment together. */
const mostBytes = 512 * 1024;

/** Makes the command's temporary folder and its profile; both are gone when `after` has resolved. */
export async function wrapCommand(
  { command }: WrapRequest,
  { program, places: options }: WrapOptions,
): Promise<Wrapped> {
  const places = await placesOf(command, options);
  let temp: TempFolder | undefined;
  const after = async (): Promise<Aftermath> => {
    const { undone = [], warnings = [] } = await places.undo();
    await temp?.remove();
    return { undone, warnings: [...places.warnings, ...warnings] };
  };
  try {
    temp = makeTempFolder();
    const path = realpathSync.native(temp.path);
    const profile = seatbeltProfile({ places, temp: path, egress: command.egress ?? "deny" });
    const front = argumentsFor(profile, command.argv[0]);
    const variables = { TMPDIR: path, TMP: path, TEMP: path };
    return { argv: [program, ...front, "--", ...command.argv], variables, after };
  } catch (error) {
    await after();
    throw error;
  }
}

function argumentsFor({ text, parameters }: Profile, name: string): readonly string[] {
  const front = [...Object.entries(parameters).flatMap(([key, path]) => ["-D", `${key}=${path}`]), "-p", text];
  const bytes = front.reduce((sum, part) => sum + Buffer.byteLength(part) + 1, 0);
  if (bytes <= mostBytes) return front;
  const problem = `Could not start ${JSON.stringify(name)}: its profile would have ${bytes} bytes, and the system takes no more than ${mostBytes}.`;
  throw new SandboxError("setup-failed", `${problem} Deny whole folders rather than many files in them.`);
}
