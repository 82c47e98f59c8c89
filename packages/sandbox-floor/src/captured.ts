// What is kept of a stream: its first and last part for the outcome, and the newest window for whoever asks in between.
// Both are counted exactly: bytes in the text and bytes left out add up to what the command printed.
import type { Captured } from "@harness/spec";
import { ring } from "./ring.js";
import { decode, orphanedBytes, unfinishedBytes } from "./utf8.js";

export interface Capture {
  push(bytes: Uint8Array): void;
  captured(): Captured;
}

export interface Window {
  push(bytes: Uint8Array): void;
  /** What came since the last call. A character that has not arrived whole waits for the next one, unless there is none. */
  take(isLast: boolean): Captured;
}

/** Keeps the first and the last `keepBytes`: the start says what ran, the end says what failed. */
export function headAndTail(keepBytes: number): Capture {
  const head = ring(keepBytes);
  const tail = ring(keepBytes);

  return {
    push(bytes) {
      const room = keepBytes - head.total;
      head.push(room >= bytes.length ? bytes : bytes.subarray(0, room));
      if (room < bytes.length) tail.push(bytes.subarray(room));
    },
    captured() {
      const [first, last] = [head.contents(), tail.contents()];
      if (tail.total === last.length) return whole(decode(joined(first, last)));
      return elided(first, tail.total - last.length, last);
    },
  };
}

/** Keeps the newest `windowBytes` between two calls of `take`. */
export function newestWindow(windowBytes: number): Window {
  const kept = ring(windowBytes);

  return {
    push: (bytes) => kept.push(bytes),
    take(isLast) {
      const bytes = kept.contents();
      const gap = kept.total - bytes.length;
      const ready = bytes.length - (isLast ? 0 : unfinishedBytes(bytes));
      const taken =
        gap === 0 ? whole(decode(bytes.subarray(0, ready))) : elided(nothing, gap, bytes.subarray(0, ready));
      kept.clear();
      kept.push(bytes.subarray(ready));
      return taken;
    },
  };
}

const nothing = new Uint8Array(0);

function whole(text: string): Captured {
  return { text, elidedBytes: 0 };
}

function elided(before: Uint8Array, gap: number, after: Uint8Array): Captured {
  const [cutBefore, cutAfter] = [unfinishedBytes(before), orphanedBytes(after)];
  const elidedBytes = gap + cutBefore + cutAfter;
  const head = decode(before.subarray(0, before.length - cutBefore));
  const tail = decode(after.subarray(cutAfter));
  return { text: `${head}${head === "" ? "" : "\n"}[… ${elidedBytes} bytes left out …]\n${tail}`, elidedBytes };
}

function joined(first: Uint8Array, last: Uint8Array): Uint8Array {
  return last.length === 0 ? first : Buffer.concat([first, last]);
}
