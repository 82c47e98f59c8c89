// What this machine has to hold commands with: what runs get when they are given no other sandbox, and every way that was tried.
import { linuxRungs } from "@harness/sandbox-linux";
import { macosReport } from "@harness/sandbox-macos";
import type { Backend, SandboxSource } from "@harness/spec";
import { nativeSandbox } from "io-harness";

/** One way to hold commands, and what came of trying it. */
export interface Rung {
  readonly backend: Backend;
  readonly works: boolean;
  /** Why it does not, and what would help; `null` where it works. */
  readonly problem: string | null;
  /** What holds less than it could although it works: a sentence each. */
  readonly gaps: readonly string[];
}

/** The sandbox that runs get by default. */
export function sandboxHere(): SandboxSource {
  return nativeSandbox();
}

/** Those of this platform, strongest first, each tried. The floor, which is below all, is none of them. */
export async function rungsHere(): Promise<readonly Rung[]> {
  switch (process.platform) {
    case "linux":
      return Promise.all(linuxRungs().map((rung) => rung.probe()));
    case "darwin":
      return [await macosReport()];
    default:
      return [];
  }
}
