// Everything the checks touch, as one value: tests hand in another.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Sandbox, SandboxSource } from "@harness/spec";
import { manifest } from "../manifest.js";
import type { Output, Terminal } from "../process-terminal.js";
import { storePlace } from "../stores.js";
import { type Rung, rungsHere } from "./native.js";

export interface Machine {
  readonly node: {
    /** With its `v`. */
    readonly version: string;
    /** The oldest that this program runs on, without a `v`. */
    readonly oldest: string;
    /** Absolute. */
    readonly program: string;
  };
  readonly system: { readonly platform: string; readonly arch: string; readonly release: string };
  readonly out: Output;
  readonly env: Terminal["env"];
  readonly clock: Clock;
  /** Where runs are kept. Throws `ConfigError` where nothing says. */
  readonly storePath: () => string;
  /** What runs use when they are given no other, made for `folder`. */
  readonly sandbox: Sandbox;
  /** The ways that this platform has to hold commands, strongest first. */
  readonly rungs: () => Promise<readonly Rung[]>;
  /** A folder that is there and that no project's settings reach. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface MachineOptions {
  /** What `--store` names. */
  readonly storePath: string | undefined;
  readonly sandboxes: SandboxSource;
  readonly signal: AbortSignal;
}

/** This machine, with an empty folder and a sandbox for it, until it is disposed of. */
export async function openMachine(terminal: Terminal, options: MachineOptions): Promise<Machine & AsyncDisposable> {
  const { out, env, clock } = terminal;
  const { storePath, sandboxes, signal } = options;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "harness-doctor-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const sandbox = await sandboxes({ workspace: folder, mode: "workspace-write", egress: "deny" });
    return {
      node: { version: process.version, oldest: manifest().oldestNode, program: process.execPath },
      system: { platform: process.platform, arch: process.arch, release: release() },
      ...{ out, env, clock, sandbox, rungs: rungsHere, folder, signal },
      storePath: () => storePlace(terminal, storePath).path,
      async [Symbol.asyncDispose]() {
        await sandbox.close?.();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
