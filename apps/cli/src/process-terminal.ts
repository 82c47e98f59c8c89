// Everything the commands touch of the process they run in, as one value: tests hand in another. Colours and the live status
// line follow from it and from nothing else.
import { isatty } from "node:tty";
import { type Clock, systemClock } from "@harness/spec";

/** A stream that takes text, such as `process.stdout`. */
export interface Output {
  write(text: string): unknown;
  /** Somebody looks at it. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** False once whoever read it has left. */
  readonly writable?: boolean;
}

/** Where a person types, such as `process.stdin`. Read only while somebody is asked. */
export interface Input extends AsyncIterable<string | Uint8Array> {
  /** Somebody sits at it. */
  readonly isTTY?: boolean;
}

/** The process as a command sees it. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  /** Absent where nobody can type. */
  readonly input?: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths on the command line start here. */
  readonly cwd: string;
  readonly clock: Clock;
  /** Calls `listener` for each wish to stop, with the signal's name, until the function returned is called. */
  onStopSignal(listener: (signal: string) => void): () => void;
  /** Leaves at once, whatever is under way. */
  exit(code: number): void;
}

const stopSignals = ["SIGINT", "SIGTERM"] as const;

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    out: process.stdout,
    err: process.stderr,
    // Looked at only when it is read: a stream that is opened keeps its end from others.
    input: { isTTY: isatty(0), [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock(),
    onStopSignal(listener) {
      for (const signal of stopSignals) process.on(signal, listener);
      return () => {
        for (const signal of stopSignals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

/** Ends this process with `code` once everything that was written has gone out, even while something still hangs in it. */
export function leave(code: number): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}

/** Lets a reader leave early, as `| head` does: what is written from then on goes nowhere, and the work goes on. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: { readonly code?: unknown }) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
