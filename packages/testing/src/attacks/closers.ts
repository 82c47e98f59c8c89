// What was opened, to be closed in reverse order: when it is no longer needed, or when the rest could not be opened.

export interface Closers {
  add<T extends AsyncDisposable>(opened: T): T;
  defer(close: () => Promise<void>): void;
  /** Closes all that it can and then rejects with what went wrong first. */
  closeAll(): Promise<void>;
}

/** What `open` opens with `closers` is closed again when it rejects. */
export async function opening<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const all: (() => Promise<void>)[] = [];
  const closers: Closers = {
    add(opened) {
      all.push(async () => opened[Symbol.asyncDispose]());
      return opened;
    },
    defer: (close) => void all.push(close),
    async closeAll() {
      const failures: unknown[] = [];
      for (const close of all.splice(0).reverse()) await close().catch((error) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
  try {
    return await open(closers);
  } catch (error) {
    await closers.closeAll().catch(() => {});
    throw error;
  }
}
