// The newest bytes of a stream, in bounded memory. It grows as it fills, so that the many commands that print a line cost
// a line, and starts to overwrite itself only when it has reached its capacity.

export interface Ring {
  /** Bytes pushed since the start or the last `clear`, kept or not. */
  readonly total: number;
  push(bytes: Uint8Array): void;
  /** What is kept, oldest first. Good until the next `push`. */
  contents(): Uint8Array;
  clear(): void;
}

const smallest = 1024;
const nothing = new Uint8Array(0);

/** Keeps the last `capacity` bytes. */
export function ring(capacity: number): Ring {
  let store = nothing;
  let total = 0;

  function grow(needed: number): void {
    if (needed <= store.length) return;
    const larger = new Uint8Array(Math.min(capacity, Math.max(needed, store.length * 2, smallest)));
    larger.set(store);
    store = larger;
  }

  function push(bytes: Uint8Array): void {
    const kept = bytes.length > capacity ? bytes.subarray(bytes.length - capacity) : bytes;
    total += bytes.length - kept.length;
    if (kept.length === 0) return;
    grow(Math.min(capacity, total + kept.length));
    const at = total % capacity;
    const first = kept.subarray(0, capacity - at);
    store.set(first, at);
    store.set(kept.subarray(first.length), 0);
    total += kept.length;
  }

  function contents(): Uint8Array {
    if (total <= capacity) return store.subarray(0, total);
    const at = total % capacity;
    const ordered = new Uint8Array(capacity);
    ordered.set(store.subarray(at), 0);
    ordered.set(store.subarray(0, at), capacity - at);
    return ordered;
  }

  return {
    get total() {
      return total;
    },
    push,
    contents,
    clear: () => {
      total = 0;
    },
  };
}
