// How far a search has got, in memory that both threads share: it is all that is left when a worker is ended in the middle of a
// file. One thread writes it, so nothing is added up twice; a path is written before its length, so no half of one is read.
import { Buffer } from "node:buffer";

const counted = ["files", "found", "large", "hidden"] as const;

export type Counted = (typeof counted)[number];

/**
 * `files`: looked through. `found`: hits, or files by name. `large`: over the limit of bytes. `hidden`: by the policy.
 */
export type Counts = Readonly<Record<Counted, number>>;

export interface Progress {
  /** What the other thread gets, to make a `Progress` of its own. */
  readonly memory: SharedArrayBuffer;
  add(counter: Counted, count: number): void;
  /** The file that is to be looked at next. */
  at(path: string): void;
  counts(): Counts;
  /** The path last given to `at`, its end cut off when it is very long. */
  path(): string | undefined;
  /** Wakes the other thread. */
  wake(): void;
  /** Calls `look` until it returns something, and sleeps until woken in between. Blocks its thread. */
  waitFor<Value>(look: () => Value | undefined): Value;
}

const [wakeUps, pathLength, firstCount] = [0, 1, 2];
const headerBytes = 4 * (firstCount + counted.length);
const pathBytes = 4_096;

export function progress(memory = new SharedArrayBuffer(headerBytes + pathBytes)): Progress {
  const header = new Int32Array(memory, 0, firstCount + counted.length);
  const path = Buffer.from(memory, headerBytes, pathBytes);
  const slots = Object.fromEntries(counted.map((name, index) => [name, firstCount + index])) as Record<Counted, number>;
  const read = (slot: number) => Atomics.load(header, slot);
  return {
    memory,
    add: (counter, count) => void Atomics.add(header, slots[counter], count),
    at(next) {
      Atomics.store(header, pathLength, 0);
      Atomics.store(header, pathLength, path.write(next));
    },
    counts: () => Object.fromEntries(counted.map((name) => [name, read(slots[name])])) as Counts,
    path: () => path.toString("utf8", 0, read(pathLength)) || undefined,
    wake() {
      Atomics.add(header, wakeUps, 1);
      Atomics.notify(header, wakeUps);
    },
    waitFor(look) {
      for (;;) {
        const seen = read(wakeUps);
        const value = look();
        if (value !== undefined) return value;
        Atomics.wait(header, wakeUps, seen);
      }
    },
  };
}
