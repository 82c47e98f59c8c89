// A started command from its first byte to its outcome. Whoever ends it says why before the kill, and the first to say so
// is the one that is reported: an exit status alone cannot tell a limit from a failure.
import {
  type Backend,
  type Clock,
  onAbort,
  type SandboxCommand,
  type SandboxError,
  type SandboxOutcome,
  type SandboxProcess,
} from "@harness/spec";
import type { CommandCaps } from "./caps/command-caps.js";
import type { Child, Exit } from "./child.js";
import { drain, within } from "./drain.js";
import { endWithProcess } from "./end-with-process.js";
import { wrapperFailure } from "./failures.js";
import { type Output, output } from "./output.js";
import type { ProcessTree } from "./process-tree.js";
import { type Cause, cancelled, cap, timeout, verdictOf } from "./verdict.js";
import type { Aftermath } from "./wrapped.js";
import type { Wrapper } from "./wrapper.js";

export interface Supervision {
  readonly backend: Backend;
  readonly command: SandboxCommand;
  /** As it was when the command was started. */
  readonly argv: readonly string[];
  readonly child: Child;
  readonly tree: ProcessTree;
  /** Present for a command that has caps beyond time and output. */
  readonly caps?: CommandCaps | undefined;
  readonly wrapper?: Wrapper | undefined;
  /** What is known not to hold for it: a sentence each. */
  readonly warnings?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly keepBytes: number;
  readonly windowBytes?: number | undefined;
  readonly drainMs: number;
}

/**
 * To be called in the tick in which the child was started. The outcome rejects with `SandboxError` when it turns out that
 * only what was put in front of the command ran, and the command did not.
 */
export function supervise(supervision: Supervision): SandboxProcess {
  const { backend } = supervision;
  const stopper = stopperOf(supervision);
  const streams = record(supervision, stopper);
  const disarm = arm(supervision, stopper);
  const outcome = settle(supervision, stopper, streams).finally(() => {
    disarm();
    return supervision.wrapper?.finish();
  });
  // Its owner may only want to kill it; this promise must not need another one.
  outcome.catch(() => {});

  return {
    backend,
    outcome,
    take: () => ({ stdout: streams.stdout.take(), stderr: streams.stderr.take() }),
    async kill() {
      stopper.stop(cancelled);
      await outcome.catch(() => {});
    },
  };
}

interface Stopper {
  readonly cause: Cause | undefined;
  /** A kill under way. */
  readonly ending: Promise<void> | undefined;
  /** Resolves when a kill has run its course; never without one. */
  readonly stopped: Promise<void>;
  /** Kills for the first cause that it is given; nothing, once the child has exited. */
  stop(why: Cause, how?: "with-grace" | "at-once"): void;
  /** Kills because this process is about to be gone. Not a cause: nobody will ask. */
  leave(): void;
  readonly isLeaving: boolean;
  /** Too much was printed, and by a child that is gone too: what is read now was printed before. */
  flooded(): void;
}

function stopperOf({ child, tree }: Supervision): Stopper {
  let cause: Cause | undefined;
  let ending: Promise<void> | undefined;
  let isLeaving = false;
  let finish: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function stop(why: Cause, how: "with-grace" | "at-once" = "with-grace"): void {
    if (cause !== undefined || child.hasExited) return;
    cause = why;
    ending = tree.end(how);
    ending.then(finish, finish);
  }

  return {
    get cause() {
      return cause;
    },
    get ending() {
      return ending;
    },
    get isLeaving() {
      return isLeaving;
    },
    stopped,
    stop,
    leave() {
      isLeaving = true;
      tree.endNow();
    },
    flooded() {
      stop(cap("output"));
      cause ??= cap("output");
    },
  };
}

interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

function record({ child, command, caps, keepBytes, windowBytes }: Supervision, { flooded }: Stopper): Streams {
  const { onOutput, limits } = command;
  const most = limits?.maxOutputBytes ?? Number.POSITIVE_INFINITY;
  const stdout = output({ stream: "stdout", keepBytes, windowBytes, onOutput });
  const stderr = output({ stream: "stderr", keepBytes, windowBytes, onOutput });
  const counted = (stream: Output) => (bytes: Uint8Array) => {
    stream.push(bytes);
    if (stream.totalBytes > most) flooded();
  };
  const toStderr = counted(stderr);
  const heard = (bytes: Uint8Array) => {
    caps?.heard(bytes);
    toStderr(bytes);
  };
  child.listen(counted(stdout), caps ? heard : toStderr);
  return { stdout, stderr };
}

/** Sets everything that may end the command; the returned function takes all of it away. */
function arm({ clock, command, child, tree, caps }: Supervision, { stop, leave }: Stopper): () => void {
  const { limits, timeoutMs, signal } = command;
  const off = [endWithProcess(leave)];
  const after = (ms: number | undefined, why: Cause) => {
    if (ms !== undefined && Number.isFinite(ms)) off.push(clock.alarm(ms, () => stop(why)));
  };
  // Whoever is over would use a grace to go on.
  if (caps) off.push(caps.watch(child, tree, (over) => stop(cap(over), "at-once")));
  after(limits?.maxWallMs, cap("wall"));
  after(timeoutMs, timeout);
  if (signal?.aborted) stop(cancelled);
  else if (signal) off.push(onAbort(signal, () => stop(cancelled)));
  return () => {
    for (const disarm of off) disarm();
  };
}

/** A killed child is collected in no time. One that sits in the kernel may not be; it is left then. */
const mostCollectMs = 1_000;

async function settle(supervision: Supervision, stopper: Stopper, streams: Streams): Promise<SandboxOutcome> {
  const { backend, argv, child, caps, clock, wrapper, warnings } = supervision;
  const startedAt = clock.now();
  await Promise.race([child.exited, stopper.stopped]);
  const wallMs = clock.now() - startedAt;

  await finish(supervision, stopper, streams);
  streams.stdout.end();
  streams.stderr.end();
  child.release();

  const exit = child.hasExited ? await child.exited : { code: null, signal: null };
  const { cause: stop } = stopper;
  const isOurs = stop !== undefined || stopper.isLeaving;
  const failure = isOurs ? undefined : (caps?.failure(exit) ?? failureOf(supervision, exit, streams));
  const kernelCap = stop ? undefined : caps?.capOf(exit);
  await caps?.close();
  const aftermath = await wrapper?.finish();
  if (failure) throw failure;
  return {
    ...{ backend, argv },
    ...verdictOf({ exit, stop, kernelCap, isRetold: wrapper?.status()?.init !== undefined }),
    ...{ stdout: streams.stdout.captured(), stderr: streams.stderr.captured(), wallMs },
    ...told(aftermath, warnings),
  };
}

/** Only its status tells it: a command can print whatever a wrapper would, and end as it does. */
function failureOf({ argv, wrapper }: Supervision, exit: Exit, streams: Streams): SandboxError | undefined {
  const status = wrapper?.status();
  if (status === undefined || status.hasRun) return undefined;
  const printed = [streams.stderr, streams.stdout].map((stream) => stream.captured().text);
  return wrapperFailure(argv, exit, printed.find((text) => text.trim() !== "") ?? "");
}

/** An outcome has these only where there is something to tell. */
function told({ undone = [], warnings = [] }: Aftermath = {}, others: readonly string[] = []): Aftermath {
  const all = [...others, ...warnings];
  return { ...(undone.length > 0 && { undone }), ...(all.length > 0 && { warnings: all }) };
}

/** Until nothing of it is left, and what it printed has been read. */
async function finish(
  { child, tree, drainMs }: Supervision,
  stopper: Stopper,
  { stdout, stderr }: Streams,
): Promise<void> {
  const received = () => stdout.totalBytes + stderr.totalBytes;
  if (stopper.ending) {
    await stopper.stopped;
    await within(child.exited, mostCollectMs);
  } else {
    // Before anyone is killed: `tee` behind a shell that has exited still writes down the last lines.
    await drain(child.closed, received, drainMs);
    if (!tree.hasSurvivors()) return;
    await tree.end();
  }
  await drain(child.closed, received, drainMs);
}
