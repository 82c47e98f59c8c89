// The launcher's instructions, as the arguments that it reads. It does what it is told in the order in which it is told.
import { launcherSource } from "./launcher.js";
import type { Handled, Rights } from "./rights.js";

export type LaunchStep =
  /** One of `more`. */
  | { readonly type: "other"; readonly words: readonly string[] }
  | { readonly type: "unset"; readonly name: string }
  | { readonly type: "enter"; readonly folder: string }
  /** Of all descriptors but the three that a command has. */
  | { readonly type: "close" }
  | { readonly type: "core" }
  | { readonly type: "loopback" }
  /** Opens a set of rules: what is handled is denied where no `grant` follows. */
  | { readonly type: "rules"; readonly handled: Handled }
  | { readonly type: "grant"; readonly rights: Rights; readonly path: string }
  /** What stands behind a descriptor may be opened again. */
  | { readonly type: "stream"; readonly rights: Rights; readonly fd: number }
  | { readonly type: "drop" }
  | { readonly type: "nnp" }
  | { readonly type: "restrict" }
  | { readonly type: "filter"; readonly filter: Uint8Array };

/** Node's names of the architectures whose calls the launcher knows by number. */
export type LauncherArchitecture = "x64" | "arm64";

const calls: Readonly<Record<LauncherArchitecture, Readonly<Record<string, number>>>> = {
  x64: { mount: 165, execve: 59, fcntl: 72, capset: 126, prctl: 157, setrlimit: 160, openat: 257, nofollow: 0o400000 },
  arm64: { mount: 40, execve: 221, fcntl: 25, capset: 91, prctl: 167, setrlimit: 164, openat: 56, nofollow: 0o100000 },
};

const callsEverywhere = { landlock_create_ruleset: 444, landlock_add_rule: 445, landlock_restrict_self: 446 };

/** The architecture as the launcher knows it, `undefined` where it knows none. */
export function launcherArchitecture(architecture: string = process.arch): LauncherArchitecture | undefined {
  return architecture === "x64" || architecture === "arm64" ? architecture : undefined;
}

export interface LauncherWords {
  readonly perl: string;
  readonly architecture: LauncherArchitecture;
  readonly steps: readonly LaunchStep[];
  /** Perl source of further steps. */
  readonly more?: string | undefined;
  /** What is executed, whatever `argv` begins with. */
  readonly file: string;
  readonly argv: readonly [string, ...string[]];
}

/** Perl's absolute path and everything behind it. Perl reads no file and no variable that the command has a say in. */
export function launcherWords({ perl, architecture, steps, file, argv, more }: LauncherWords): [string, ...string[]] {
  const numbers = Object.entries({ ...calls[architecture], ...callsEverywhere }).map(([name, is]) => `${name}=${is}`);
  return [
    ...([perl, "-f", "-T", "-C0", "-e", launcherSource(more), "--"] as const),
    ...["calls", numbers.join(",")],
    ...steps.flatMap(wordsOf),
    ...["--", file, ...argv],
  ];
}

/** Against what perl says of a locale that this machine does not have. The launcher takes it away again. */
export const launcherVariables = { PERL_BADLANG: "0" } as const;

function wordsOf(step: LaunchStep): readonly string[] {
  switch (step.type) {
    case "other":
      return step.words;
    case "unset":
      return [step.type, step.name];
    case "enter":
      return [step.type, step.folder];
    case "rules": {
      const { bytes, files, ports, scopes } = step.handled;
      return [step.type, ...[bytes, files, ports, scopes].map(String)];
    }
    case "grant":
      return [step.type, String(step.rights), step.path];
    case "stream":
      return [step.type, String(step.rights), String(step.fd)];
    case "filter":
      return [step.type, Buffer.from(step.filter).toString("hex")];
    default:
      return [step.type];
  }
}
