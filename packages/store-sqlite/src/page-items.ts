// The items of pages, one by one. An async generator takes several turns of the microtask queue for each; of a run with a hundred
// thousand events that is most of what reading them costs, so what a page holds is handed over here without it.

/** Closes `pages` when it is left early. Asked for several items at once, it gives them in order. */
export function itemsOf<Item>(pages: AsyncGenerator<readonly Item[], void>): AsyncIterableIterator<Item> {
  let page: readonly Item[] = [];
  let position = 0;
  let turning: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function next(): Promise<IteratorResult<Item>> {
    if (waiting === 0 && position < page.length) return Promise.resolve(handOver());
    waiting += 1;
    const turned = turning.then(turn).finally(() => {
      waiting -= 1;
    });
    turning = turned.catch(() => {});
    return turned;
  }

  function handOver(): IteratorResult<Item> {
    const value = page[position] as Item;
    position += 1;
    return { done: false, value };
  }

  async function turn(): Promise<IteratorResult<Item>> {
    while (position >= page.length) {
      const turned = await pages.next();
      if (turned.done) return { done: true, value: undefined };
      page = turned.value;
      position = 0;
    }
    return handOver();
  }

  const items: AsyncIterableIterator<Item> = {
    next,
    async return() {
      page = [];
      await pages.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => items,
  };
  return items;
}
