// Two handles on one file remember what they last saw of it. Whatever is done through either, in whatever order, the answer has
// to be the one that a store without a memory would give.
import { type Lease, type Store, verifyTrace } from "@harness/spec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { collect, freshPath, run, steps } from "./store.test-support.js";

const owners = ["elsewhere:1:a", "elsewhere:2:b"] as const;
const events = steps(100);

type Operation =
  | { readonly type: "acquire"; readonly handle: 0 | 1; readonly owner: 0 | 1 }
  | { readonly type: "release"; readonly handle: 0 | 1; readonly lease: number }
  | {
      readonly type: "append";
      readonly handle: 0 | 1;
      readonly lease: number;
      readonly count: number;
      readonly skip: number;
    };

const side = fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>;
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: fc.constant("acquire" as const), handle: side, owner: side }),
  fc.record({ type: fc.constant("release" as const), handle: side, lease: fc.nat(3) }),
  fc.record({
    type: fc.constant("append" as const),
    handle: side,
    lease: fc.nat(3),
    count: fc.nat(3),
    skip: fc.constantFrom(0, 0, 0, 1, -1),
  }),
);

/** What the store must be like: one holder, one head. */
function model() {
  let holder: { owner: string; generation: number } | undefined;
  let generation = 0;
  let head = 0;
  return {
    get head() {
      return head;
    },
    acquire(owner: string): string {
      if (holder && holder.owner !== owner) return "run-conflict";
      holder ??= { owner, generation: ++generation };
      return `kept ${holder.generation}`;
    },
    release(lease: Lease): void {
      if (holds(lease)) holder = undefined;
    },
    append(lease: Lease, first: number, count: number): string {
      if (!holds(lease) || (count > 0 && first !== head + 1)) return "lease-lost";
      head += count;
      return "kept";
    },
  };

  function holds(lease: Lease): boolean {
    return holder?.owner === lease.owner && holder.generation === lease.generation;
  }
}

/** What became of `promise`: `kept`, what `show` says of its value, or an error's code. */
async function fate<Value>(promise: Promise<Value>, show: (value: Value) => string = () => "kept"): Promise<string> {
  return promise.then(show, (error) => String(error.code));
}

async function play(stores: readonly Store[], operations: readonly Operation[]): Promise<number> {
  const expected = model();
  const leases: Lease[] = [];
  for (const step of operations) {
    const store = stores[step.handle] as Store;
    if (step.type === "acquire") {
      const owner = owners[step.owner];
      const acquired = store.acquire(run, owner, 600_000);
      expect(await fate(acquired, ({ generation }) => `kept ${generation}`)).toBe(expected.acquire(owner));
      await acquired.then((lease) => leases.unshift(lease)).catch(() => {});
      continue;
    }
    // The newest lease is the first; older ones may be stale.
    const lease = leases[step.lease];
    if (!lease) continue;
    if (step.type === "release") {
      await store.release(lease);
      expected.release(lease);
    } else {
      const first = Math.max(1, expected.head + 1 + step.skip);
      const batch = events.slice(first - 1, first - 1 + step.count);
      const wanted = expected.append(lease, first, batch.length);
      expect(await fate(store.append(lease, run, batch))).toBe(wanted);
    }
  }
  return expected.head;
}

it("gives through two handles the answers of one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 30 }), async (operations) => {
      const path = freshPath();
      const stores = [0, 1].map(() => sqliteStore({ path, durability: "process" }));
      await stores[0]?.create({ id: run, root: run, parent: null, createdAt: 1 });

      const head = await play(stores, operations);

      for (const store of stores) {
        expect(await collect(store.read(run))).toEqual(events.slice(0, head));
        expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", head: { seq: head } });
        await store.close();
      }
    }),
    { numRuns: 60 },
  );
});
