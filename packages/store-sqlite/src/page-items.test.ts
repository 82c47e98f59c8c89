import { describe, expect, it } from "vitest";
import { itemsOf } from "./page-items.js";
import { collect } from "./store.test-support.js";

/** Pages of numbers; notes whether it was closed. */
function pages(...all: readonly (readonly number[])[]) {
  const seen = { isClosed: false, asked: 0 };
  async function* generate() {
    try {
      for (const page of all) {
        seen.asked += 1;
        yield page;
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, items: itemsOf(generate()) };
}

describe("the items of pages", () => {
  it("come in order, over empty pages too, and then no more", async () => {
    const { items, seen } = pages([], [1, 2], [], [3], []);

    expect(await collect(items)).toEqual([1, 2, 3]);
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(seen.isClosed).toBe(true);
  });

  it("come in order when several are asked for at once", async () => {
    const { items } = pages([1], [2, 3], [4]);

    const results = await Promise.all(Array.from({ length: 6 }, () => items.next()));

    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  it("ask for no page that nobody needs, and close what they come from when they are left", async () => {
    const { items, seen } = pages([1, 2], [3]);

    for await (const item of items) if (item === 2) break;

    expect(seen).toEqual({ isClosed: true, asked: 1 });
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it("fail as their pages do, and are over then", async () => {
    async function* failing() {
      yield [1];
      throw new Error("No page.");
    }
    const items = itemsOf<number>(failing());

    expect(await items.next()).toEqual({ done: false, value: 1 });
    await expect(items.next()).rejects.toThrow("No page.");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});
