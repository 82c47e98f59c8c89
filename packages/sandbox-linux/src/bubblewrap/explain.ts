// Why bubblewrap does not work here, for a person: what it complained of, and what on this machine would have to be different.
import { readFileSync } from "node:fs";

/** A setting of the kernel by its path, `undefined` where it has none. */
export type Setting = (path: string) => string | undefined;

/** One sentence or two. `complaint`: what `program` printed. */
export function explain(complaint: string, setting: Setting = kernelSetting, program = "bubblewrap"): string {
  const said = complaint.trim().split("\n").at(-1) ?? "";
  const what = `${program} does not work here (${said || "it said nothing"})`;
  return `${what}: ${reasonFor(said, setting)}`;
}

const namespaces =
  /namespace|uid map|gid map|RTM_NEWADDR|RTM_NEWLINK|loopback|Operation not permitted|Permission denied/i;

function reasonFor(said: string, setting: Setting): string {
  if (/mount proc/i.test(said)) {
    return "this container hides parts of /proc. Start it with --security-opt systempaths=unconfined.";
  }
  if (/Unknown option/i.test(said)) return "it is too old. Install a newer bubblewrap.";
  if (!namespaces.test(said)) return "run it by hand to see why.";
  if (setting("/proc/sys/user/max_user_namespaces") === "0") {
    return "user namespaces are turned off. Set the sysctl user.max_user_namespaces to a number above 0.";
  }
  if (setting("/proc/sys/kernel/unprivileged_userns_clone") === "0") {
    return "only root may make user namespaces. Set the sysctl kernel.unprivileged_userns_clone to 1.";
  }
  if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return "AppArmor refuses user namespaces. Give bwrap a profile that has `userns`, or set the sysctl kernel.apparmor_restrict_unprivileged_userns to 0.";
  }
  return "user namespaces are refused. In a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined.";
}

function kernelSetting(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
