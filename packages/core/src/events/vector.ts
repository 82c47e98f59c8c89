// A list that grows by sharing. Every version is a length over one array; a push by the newest version writes into the spare
// room behind it, so that state with 10,000 entries costs as much per step as state with 20. Older versions stay as they were.

export interface Vector<Item> {
  readonly length: number;
  /** Shared with other versions: only the first `length` items belong to this one. */
  readonly shared: Item[];
}

export function emptyVector<Item>(): Vector<Item> {
  return { length: 0, shared: [] };
}

/** `vector` with `item` behind it. Constant time for the newest version, a copy for an older one. */
export function push<Item>(vector: Vector<Item>, item: Item): Vector<Item> {
  const shared = vector.shared.length === vector.length ? vector.shared : vector.shared.slice(0, vector.length);
  shared.push(item);
  return { length: vector.length + 1, shared };
}

/** The items as an array of the caller's own. */
export function items<Item>(vector: Vector<Item>): Item[] {
  return vector.shared.slice(0, vector.length);
}

/** The last item, if there is one. */
export function last<Item>(vector: Vector<Item>): Item | undefined {
  return vector.length === 0 ? undefined : vector.shared[vector.length - 1];
}
