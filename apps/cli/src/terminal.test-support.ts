// A terminal that keeps what is written to it, and whose signals a test sends.
import { type Clock, systemClock } from "@harness/spec";
import type { Input, Terminal } from "./process-terminal.js";

export interface FakeTerminal extends Terminal {
  /** Everything written to standard output, and to standard error. */
  readonly printed: () => string;
  readonly complained: () => string;
  signal(name: string): void;
  /** What the process was left with, if it was. */
  readonly exits: readonly number[];
  /** Whether anyone still listens for signals. */
  readonly isListening: () => boolean;
}

export interface FakeTerminalOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly clock?: Clock;
  /** Lines that a person types, where it is a terminal to type at. */
  readonly typed?: readonly string[];
  readonly input?: Input;
  /** Whoever read standard output has left. */
  readonly isUnread?: boolean;
  /** Called when somebody begins to listen for signals. */
  readonly onListen?: (terminal: FakeTerminal) => void;
  /** Called with everything written to standard output. */
  readonly onOut?: (text: string, terminal: FakeTerminal) => void;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const {
    cwd = "/",
    env = {},
    isTTY = false,
    columns = 80,
    clock = systemClock(),
    isUnread = false,
    typed,
    input = typed && { isTTY: true, [Symbol.asyncIterator]: () => typing(typed) },
    onOut,
    onListen,
  } = options;
  const listeners = new Set<(signal: string) => void>();
  const exits: number[] = [];
  let printed = "";
  let complained = "";
  const terminal: FakeTerminal = {
    cwd,
    env,
    clock,
    exits,
    ...(input && { input }),
    out: {
      isTTY,
      columns,
      writable: !isUnread,
      write(text) {
        printed += text;
        onOut?.(text, terminal);
      },
    },
    err: {
      write(text) {
        complained += text;
      },
    },
    onStopSignal(listener) {
      listeners.add(listener);
      onListen?.(terminal);
      return () => listeners.delete(listener);
    },
    exit: (code) => void exits.push(code),
    printed: () => printed,
    complained: () => complained,
    signal: (name) => {
      for (const listener of [...listeners]) listener(name);
    },
    isListening: () => listeners.size > 0,
  };
  return terminal;
}

async function* typing(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`;
}
