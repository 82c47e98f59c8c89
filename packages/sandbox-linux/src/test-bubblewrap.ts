// What tests of the bubblewrap rung share.
import type { Sandbox, SandboxNeeds } from "@harness/spec";
import { type LinuxSandboxOptions, linuxSandbox } from "./chain/linux-sandbox.js";
import { systemProgram } from "./system-programs.js";

export const hasBubblewrap = process.platform === "linux" && systemProgram("bwrap") !== undefined;

/** For the title of what is skipped without it. */
export const needsBubblewrap = hasBubblewrap ? "" : " [needs bwrap, of the package bubblewrap]";

export const isRoot = process.getuid?.() === 0;

/** A uid and gid that no account has. */
export const stranger = 54_321;

/** A sandbox on that rung. To be closed. */
export async function bubblewrapped(
  workspace: string,
  options: LinuxSandboxOptions = {},
  needs: Partial<SandboxNeeds> = {},
): Promise<Sandbox & AsyncDisposable> {
  const source = linuxSandbox({ only: "linux-bubblewrap", ...options });
  const sandbox = await source({ workspace, mode: "workspace-write", egress: "deny", ...needs });
  return { ...sandbox, [Symbol.asyncDispose]: async () => sandbox.close?.() };
}
