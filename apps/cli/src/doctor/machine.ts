// Everything the checks touch, as one value: tests hand in another.
import { release, tmpdir } from "node:os";
import type { Clock, Sandbox } from "@harness/spec";
import { floor } from "io-harness";
import { manifest } from "../manifest.js";
import type { Output, Terminal } from "../process-terminal.js";
import { storePlace } from "../stores.js";

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
  /** What runs use when they are given no other. */
  readonly sandbox: Sandbox;
  /** A folder that is there and that no project's settings reach. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export function thisMachine(terminal: Terminal, storePath: string | undefined, signal: AbortSignal): Machine {
  const { out, env, clock } = terminal;
  return {
    node: { version: process.version, oldest: manifest().oldestNode, program: process.execPath },
    system: { platform: process.platform, arch: process.arch, release: release() },
    out,
    env,
    clock,
    storePath: () => storePlace(terminal, storePath).path,
    sandbox: floor(),
    folder: tmpdir(),
    signal,
  };
}
