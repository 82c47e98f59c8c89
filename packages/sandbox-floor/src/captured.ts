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
      if (tail.total === last.length) return { text: decode(joined(first, last)), elidedBytes: 0 };
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
      const waiting = isLast ? 0 : unfinishedBytes(bytes);
      kept.clear();
      kept.push(bytes.subarray(bytes.length - waiting));
      const ready = bytes.subarray(0, bytes.length - waiting);
      return gap === 0 ? { text: decode(ready), elidedBytes: 0 } : elided(new Uint8Array(0), gap, ready);
    },
  };
}

function elided(before: Uint8Array, gap: number, after: Uint8Array): Captured {
  const [cutBefore, cutAfter] = [unfinishedBytes(before), orphanedBytes(after)];
  const elidedBytes = gap + cutBefore + cutAfter;
  const head = decode(before.subarray(0, before.length - cutBefore));
  const tail = decode(after.subarray(cutAfter));
  return { text: `${head}${head === "" ? "" : "\n"}[… ${elidedBytes} bytes left out …]\n${tail}`, elidedBytes };
}

function joined(first: Uint8Array, last: Uint8Array): Uint8Array {
  if (last.length === 0) return first;
  const whole = new Uint8Array(first.length + last.length);
  whole.set(first, 0);
  whole.set(last, first.length);
  return whole;
}
