// A wrapper for tests that need a real one: bubblewrap, as plain as it can be with a pid namespace and a status.
import type { FloorOptions } from "./floor.js";
import { floor } from "./floor.js";
import { systemProgram } from "./system-program.js";
import type { Wrapped, WrapperStatus } from "./wrapped.js";

export const bubblewrap = process.platform === "linux" ? systemProgram("bwrap") : undefined;

/** Reads what bubblewrap tells: one JSON object a line, the last of them only when it ran the command. */
function bubblewrapStatus(said: string): WrapperStatus {
  const init = /"child-pid": (\d+)/.exec(said)?.[1];
  return { hasRun: said.includes('"exit-code"'), ...(init !== undefined && { init: Number(init) }) };
}

export interface BubblewrapOptions extends Omit<FloorOptions, "wrap"> {
  /** Arguments beside the usual ones. */
  readonly more?: readonly string[];
  readonly wrapped?: Partial<Wrapped>;
}

/** The floor behind bubblewrap. */
export function behindBubblewrap({ more = [], wrapped = {}, ...options }: BubblewrapOptions = {}) {
  const namespaces = ["--unshare-user", "--unshare-pid", "--cap-drop", "ALL", "--die-with-parent", "--new-session"];
  const places = ["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...more];
  return floor({
    backend: "linux-bubblewrap",
    ...options,
    wrap: ({ command }) => ({
      argv: [bubblewrap ?? "", ...namespaces, ...places, "--json-status-fd", "3", "--", ...command.argv],
      descriptors: [{ type: "status" }],
      status: bubblewrapStatus,
      ...wrapped,
    }),
  });
}
