// The environment variables that this program reads, by name. Values are nobody's business, here least of all: what this prints
// is pasted into bug reports.
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";

export const environmentCheck: Check = {
  title: "Environment",
  examine: async (machine) => environmentReport(machine),
};

const everywhere = [
  "HARNESS_HOME",
  "HARNESS_DEBUG",
  "HARNESS_COMMAND_PREFIX",
  "NO_COLOR",
  "FORCE_COLOR",
  "TERM",
  "PATH",
];
/** By which the store is found where `HARNESS_HOME` is not set. */
const homes: Readonly<Record<string, readonly string[]>> = {
  win32: ["LOCALAPPDATA", "USERPROFILE"],
  darwin: ["HOME"],
};

function environmentReport({ env, system }: Pick<Machine, "env" | "system">): Report {
  const names = [...everywhere, ...(homes[system.platform] ?? ["XDG_STATE_HOME", "HOME"])];
  const set = names.filter((name) => env[name]);
  const unset = names.filter((name) => !env[name]);
  const findings: readonly Finding[] = [
    { status: "plain", name: "set", text: set.join(", ") || "none" },
    { status: "plain", name: "not set", text: unset.join(", ") || "none" },
  ];
  return { findings, facts: { set, unset } };
}
