// What stands in front of one command, from when a backend has made it until nothing of the command is left. Descriptors that
// were opened for it are closed whatever happens, and what is to be done afterwards is done once, on every way out.
import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { notStarted } from "./failures.js";
import { type StatusChannel, statusChannel } from "./status-channel.js";
import type { Aftermath, Wrapped, WrappedArgv, WrapperStatus } from "./wrapped.js";

export interface Wrapper {
  readonly argv: WrappedArgv;
  readonly variables: Readonly<Record<string, string | null>>;
  readonly user: Wrapped["user"];
  readonly temp: Wrapped["temp"];
  /** Its descriptors from 3 on, for `spawn`. */
  readonly stdio: readonly (number | "pipe")[];
  /** To be called in the tick in which `child` was started: what it was to be given is its own now. */
  started(child: ChildProcess): void;
  /** Calls `to` once, when it names the first process of the command's own namespace. */
  onInit(to: (pid: number) => void): void;
  /** What it has told so far; `undefined` for one that tells nothing. */
  status(): WrapperStatus | undefined;
  /** Settles when it can tell nothing more; at once for one that never could. */
  readonly told: Promise<void>;
  /** Lets go of every descriptor. */
  release(): void;
  /** Lets go, and does what is to be done afterwards: once, however often it is called. Never rejects. */
  finish(): Promise<Aftermath>;
}

/** Takes over what a backend has made. */
export function wrapperOf(made: WrappedArgv | Wrapped): Wrapper {
  const {
    argv,
    descriptors = [],
    variables = {},
    user,
    temp,
    status,
    after,
  }: Wrapped = isArgv(made) ? { argv: made } : made;
  const open = new Set(descriptors.flatMap((descriptor) => (descriptor.type === "open" ? [descriptor.fd] : [])));
  const channel: StatusChannel | undefined = status && statusChannel(status);
  const statusAt = descriptors.findIndex(({ type }) => type === "status");
  let finishing: Promise<Aftermath> | undefined;

  function closeOpen(): void {
    for (const fd of open) close(fd);
    open.clear();
  }

  function release(): void {
    closeOpen();
    channel?.release();
  }

  return {
    ...{ argv, variables, user, temp, release },
    stdio: descriptors.map((descriptor) => (descriptor.type === "open" ? descriptor.fd : "pipe")),
    started(child) {
      closeOpen();
      const stream = statusAt === -1 ? undefined : child.stdio?.[3 + statusAt];
      if (stream) channel?.listen(stream as Readable);
    },
    onInit: (to) => channel?.onInit(to),
    status: () => channel?.status(),
    told: channel?.closed ?? Promise.resolve(),
    release,
    finish() {
      release();
      finishing ??= aftermathOf(after);
      return finishing;
    },
  };
}

/** Throws `SandboxError` `setup-failed` for one that cannot be started as it was made. */
export function checkWrapper(made: WrappedArgv | Wrapped, argv: readonly string[]): void {
  const { argv: whole, descriptors = [], status }: Wrapped = isArgv(made) ? { argv: made } : made;
  if (!isAbsolute(whole[0])) {
    const advice = "A wrapper is never looked for in the command's PATH; resolve it first.";
    throw notStarted("setup-failed", argv, `the wrapper ${JSON.stringify(whole[0])} is not an absolute path`, advice);
  }
  const channels = descriptors.filter(({ type }) => type === "status").length;
  if (channels === (status ? 1 : 0)) return;
  const reason = `the wrapper in front of it has ${channels} descriptors for its status and ${status ? "a" : "no"} reader`;
  throw notStarted("setup-failed", argv, reason, "A backend gives one of each, or neither.");
}

function isArgv(made: WrappedArgv | Wrapped): made is WrappedArgv {
  return Array.isArray(made);
}

function close(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The backend has closed it already.
  }
}

async function aftermathOf(after: Wrapped["after"]): Promise<Aftermath> {
  try {
    return (await after?.()) ?? {};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { warnings: [`What was put in front of the command could not be cleared away afterwards: ${reason}`] };
  }
}
