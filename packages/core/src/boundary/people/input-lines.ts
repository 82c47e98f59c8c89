// Lines that a person types, one question at a time. All who ask at one input share its one reader. What comes while nobody waits
// was typed for a question that is over, and answers no other.
import { onAbort } from "@harness/spec";

/** Where a person types: `process.stdin` is one. */
export type TextInput = AsyncIterable<string | Uint8Array>;

/** Where a person reads: `process.stdout` is one. */
export interface TextOutput {
  write(text: string): unknown;
}

export interface Lines {
  /**
   * Calls `prompt` when it is this question's turn, and resolves to the line that is typed then; to `null` at the end of the
   * input. Rejects with the signal's reason when it fires first.
   */
  ask(prompt: () => void, signal: AbortSignal): Promise<string | null>;
}

const known = new WeakMap<TextInput, Lines>();

/** The lines of `input`, which is read only while somebody waits for one. */
export function linesOf(input: TextInput): Lines {
  const lines = known.get(input) ?? readLines(input);
  known.set(input, lines);
  return lines;
}

function readLines(input: TextInput): Lines {
  const decoder = new TextDecoder();
  let chunks: AsyncIterator<string | Uint8Array> | undefined;
  let buffer = "";
  let isOver = false;
  let isPulling = false;
  let reader: ((line: string | null) => void) | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function deliver(): void {
    if (!reader) return;
    const line = isOver && buffer !== "" ? [buffer, buffer] : /^([^\n]*)\n/.exec(buffer);
    if (line) {
      buffer = buffer.slice(line[0]?.length);
      reader(line[1]?.replace(/\r$/, "") ?? "");
    } else if (isOver) {
      reader(null);
    } else {
      pull();
    }
  }

  function pull(): void {
    if (isPulling) return;
    isPulling = true;
    chunks ??= input[Symbol.asyncIterator]();
    chunks.next().then(
      ({ done, value }) => came(done === true, value),
      // An input that cannot be read has nothing more to say.
      () => came(true, undefined),
    );
  }

  function came(isEnd: boolean, chunk: string | Uint8Array | undefined): void {
    isPulling = false;
    isOver = isEnd;
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: !isEnd });
    if (reader) buffer += text;
    deliver();
  }

  function next(prompt: () => void, signal: AbortSignal): Promise<string | null> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = onAbort(signal, () => {
        reader = undefined;
        reject(signal.reason);
      });
      reader = (line) => {
        leave();
        reader = undefined;
        resolve(line);
      };
      prompt();
      deliver();
    });
  }

  return {
    ask(prompt, signal) {
      const asked = turn.then(() => next(prompt, signal));
      turn = asked.catch(() => {});
      return asked;
    },
  };
}
