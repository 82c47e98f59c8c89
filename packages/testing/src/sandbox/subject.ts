// What a case works on: a sandbox, a working folder of its own, and a folder outside that no command may touch. When the
// case is over both are removed, and whatever a faulty sandbox left running ends by itself: every payload that stays
// watches its folder.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Enforcement, Sandbox, SandboxCommand, SandboxNeeds, SandboxOutcome } from "@harness/spec";

/** How to open the sandbox under test. What it can do it says itself, in `enforces`. */
export interface DescribeSandboxOptions {
  /**
   * A fresh sandbox, in this process's environment. Called once for each test with what its commands need, and once to read
   * `enforces`; what it returns is closed.
   */
  readonly open: (needs: SandboxNeeds) => Sandbox | Promise<Sandbox>;
  /**
   * The folder in which working folders are made. Default: the temporary folder. A backend that gives commands a temporary
   * folder of their own, or lets all of them write to the shared one, needs another. Attacks are never staged below the
   * temporary folder: without a folder elsewhere, in the user's cache.
   */
  readonly folder?: string;
}

/** What decides whether a case applies. */
export interface Facts {
  readonly enforces: Enforcement;
  readonly isWindows: boolean;
}

export interface Case {
  /** Why this case does not apply; `undefined` when it does. */
  readonly unless?: (facts: Facts) => string | undefined;
  /** Proven by not throwing. */
  readonly prove: (subject: Subject) => Promise<void>;
}

/** By title, which is a sentence about the sandbox. */
export type Cases = Readonly<Record<string, Case>>;

export interface Subject extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** The working folder, resolved. Empty at the start. */
  readonly folder: string;
  /** A folder beside it that no command is granted. */
  readonly outside: string;
  /** Runs a command in the working folder. */
  run(argv: SandboxCommand["argv"], rest?: Omit<SandboxCommand, "argv" | "cwd">): Promise<SandboxOutcome>;
  /** What a command wrote to a file of the working folder, `undefined` when there is none. */
  written(name: string): Promise<string | undefined>;
}

export async function openSubject(options: DescribeSandboxOptions): Promise<Subject> {
  const made = await realpath(await mkdtemp(join(options.folder ?? tmpdir(), "harness-sandbox-")));
  const [folder, outside] = [join(made, "work"), join(made, "outside")];
  await mkdir(folder);
  await mkdir(outside);
  const sandbox = await options.open(needsOf(folder));

  return {
    sandbox,
    folder,
    outside,
    run: (argv, rest = {}) => sandbox.run({ argv, cwd: folder, ...rest }),
    written: async (name) => (existsSync(join(folder, name)) ? readFile(join(folder, name), "utf8") : undefined),
    async [Symbol.asyncDispose]() {
      await sandbox.close?.();
      await rm(made, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What the suite's commands need: those that are to reach a network say so themselves. */
export function needsOf(workspace: string): SandboxNeeds {
  return { workspace, mode: "workspace-write", egress: "deny" };
}

/** A case that needs nothing of the sandbox but the port. */
export function always(prove: Case["prove"]): Case {
  return { prove };
}

/** A case that uses signals, `sh` or named pipes. */
export function onPosix(prove: Case["prove"], unless?: Case["unless"]): Case {
  return { prove, unless: (facts) => (facts.isWindows ? "needs signals, sh and named pipes" : unless?.(facts)) };
}
