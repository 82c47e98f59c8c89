// Statements that take as long as the file is large, in a thread with a connection of its own, so that the event loop goes on.
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { storeFailure } from "./failures.js";

export interface SqlThreadOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** Completes "Could not … the store …". */
  readonly attempt: string;
  readonly statements: readonly string[];
  /** Default false. */
  readonly readonly?: boolean;
}

// As text, so that it runs wherever these sources are bundled to.
const script = `
  const { parentPort, workerData: { driver, path, busyTimeoutMs, readonly, statements } } = require("node:worker_threads");
  const texts = [];
  let failure;
  try {
    const database = new (require(driver))(path, { readonly, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      for (const sql of statements) {
        const statement = database.prepare(sql);
        if (statement.reader) for (const text of statement.pluck().iterate()) texts.push(String(text));
        else statement.run();
      }
    } finally {
      database.close();
    }
  } catch ({ message, code }) {
    failure = { message, code };
  }
  parentPort.postMessage({ texts, failure });
`;

interface Reply {
  readonly texts: readonly string[];
  readonly failure?: { readonly message: string; readonly code?: unknown };
}

/** The first column of every row. What was found before a failure counts, with the failure's words behind it. */
export function askInThread({ attempt, readonly = false, ...asked }: SqlThreadOptions): Promise<readonly string[]> {
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const worker = new Worker(script, { eval: true, workerData: { ...asked, driver, readonly } });
  let reply: Reply | undefined;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(storeFailure(error, `${attempt} the store ${asked.path}`));
    worker.on("message", (message: Reply) => (reply = message));
    worker.on("error", fail);
    // Behind the thread's end, and so behind that of its connection.
    worker.on("exit", () => {
      const { texts = [], failure = reply ? undefined : { message: "its thread ended early" } } = reply ?? {};
      if (!failure) resolve(texts);
      else if (texts.length > 0) resolve([...texts, failure.message]);
      else fail(Object.assign(new Error(), failure));
    });
  });
}
