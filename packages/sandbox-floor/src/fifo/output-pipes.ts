// Where a command's output goes and how it is read. Two FIFOs, opened at both ends and unlinked before the command starts,
// so that it can open `/dev/stdout` anew; Node's own pipes where there are none to be had. For the reader they are alike.
import type { ChildProcess } from "node:child_process";
import { closeSync, constants, fchownSync, openSync, unlinkSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { FifoStock } from "./fifo-stock.js";

export type OnBytes = (bytes: Uint8Array) => void;

export interface OutputPipes {
  /** What the command's descriptors 1 and 2 are, for `spawn`. */
  readonly stdio: readonly [number | "pipe", number | "pipe"];
  /** To be called before a command starts that runs as `user`: who does not own a FIFO cannot open it anew. */
  giveTo(user: { readonly uid: number; readonly gid: number }): void;
  /** To be called when `child` was started. */
  started(child: ChildProcess): void;
  /** Settles when nobody can write to either any more. */
  readonly closed: Promise<unknown>;
  /** What `onStdout` and `onStderr` are given is theirs until they return. */
  listen(onStdout: OnBytes, onStderr: OnBytes): void;
  /** Lets go of both, at any time. */
  release(): void;
}

/** Pipes for one command. */
export async function openOutputPipes(stock: FifoStock): Promise<OutputPipes> {
  const paths = await stock.pair();
  if (paths === undefined) return nodePipes();
  try {
    return fifoPipes(paths);
  } catch {
    // Gone, or no descriptors left: the next batch may be better, and Node says what is the matter.
    stock.discard();
    return nodePipes();
  }
}

function fifoPipes([stdoutPath, stderrPath]: readonly [string, string]): OutputPipes {
  const stdout = openFifo(stdoutPath);
  let stderr: Fifo | undefined;
  try {
    stderr = openFifo(stderrPath);
    return pipesOf(stdout, stderr);
  } catch (error) {
    stdout.destroy();
    stderr?.destroy();
    throw error;
  }
}

function pipesOf(stdout: Fifo, stderr: Fifo): OutputPipes {
  return {
    stdio: [stdout.writer, stderr.writer],
    giveTo({ uid, gid }) {
      if (uid === process.geteuid?.()) return;
      for (const { writer } of [stdout, stderr]) handOver(writer, uid, gid);
    },
    started() {
      stdout.closeWriter();
      stderr.closeWriter();
    },
    closed: Promise.all([stdout.closed, stderr.closed]),
    listen(onStdout, onStderr) {
      stdout.listen(onStdout);
      stderr.listen(onStderr);
    },
    release() {
      stdout.destroy();
      stderr.destroy();
    },
  };
}

interface Fifo {
  readonly writer: number;
  readonly closed: Promise<void>;
  closeWriter(): void;
  listen(onBytes: OnBytes): void;
  destroy(): void;
}

const pieceBytes = 64 * 1024;
/** Read into by every command in turn: what is read is handed on and copied before anything else is read. */
let piece: Uint8Array | undefined;

function openFifo(path: string): Fifo {
  // The reading end first, and without waiting: no end of a FIFO opens alone.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let writer: number | undefined;
  try {
    writer = openSync(path, constants.O_WRONLY);
    unlinkSync(path);
    return fifoOf(reader, writer);
  } catch (error) {
    closeSync(reader);
    if (writer !== undefined) closeSync(writer);
    throw error;
  }
}

function handOver(writer: number, uid: number, gid: number): void {
  try {
    fchownSync(writer, uid, gid);
  } catch {
    // Who may not give a file away may not change users either, and is told so when the command is to start.
  }
}

function fifoOf(reader: number, writer: number): Fifo {
  let onBytes: OnBytes = () => {};
  let isWriterOpen = true;
  piece ??= new Uint8Array(pieceBytes);
  const callback = (size: number, bytes: Uint8Array) => {
    onBytes(bytes.subarray(0, size));
    return true;
  };
  // Its types know `onread` only from `connect`.
  const options: SocketConstructorOpts & ConnectOpts = {
    fd: reader,
    readable: true,
    writable: false,
    onread: { buffer: piece, callback },
  };
  const socket = new Socket(options);
  socket.on("error", () => {});

  function closeWriter(): void {
    if (isWriterOpen) closeSync(writer);
    isWriterOpen = false;
  }

  return {
    writer,
    closed: new Promise((resolve) => socket.once("close", () => resolve())),
    closeWriter,
    listen(to) {
      onBytes = to;
      socket.resume();
    },
    destroy() {
      closeWriter();
      socket.destroy();
    },
  };
}

function nodePipes(): OutputPipes {
  let child: ChildProcess | undefined;
  let close: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  return {
    stdio: ["pipe", "pipe"],
    giveTo: () => {},
    closed,
    started(started) {
      child = started;
      for (const stream of [child.stdout, child.stderr]) stream?.on("error", () => {});
      child.once("close", close);
    },
    listen(onStdout, onStderr) {
      child?.stdout?.on("data", onStdout);
      child?.stderr?.on("data", onStderr);
    },
    release() {
      child?.stdout?.destroy();
      child?.stderr?.destroy();
    },
  };
}
