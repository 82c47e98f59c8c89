// A model's stream, one part after the other, until it ends or the signal fires. A model that is slow to notice the signal is not
// waited for, and what it opens later is closed.
import { onAbort } from "@harness/spec";
import type { AiSdkCall, AiSdkModel, AiSdkStream } from "./model.js";

type Headers = Readonly<Record<string, string>>;

interface Opened {
  readonly reader: ReturnType<AiSdkStream["getReader"]>;
  readonly headers: Headers;
}

/** Gives the headers of the answer. Rejects with what the model threw, or with the signal's reason. */
export async function eachPart(
  model: AiSdkModel,
  call: AiSdkCall,
  signal: AbortSignal,
  take: (part: unknown) => void,
): Promise<Headers> {
  signal.throwIfAborted();
  const opened = open(model, call);
  // Read to its end, a stream has nothing left to cancel.
  const letGo = () => void opened.then(({ reader }) => reader.cancel()).catch(() => {});
  let forget = () => {};
  const fired = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => {
      letGo();
      reject(signal.reason);
    });
  });
  try {
    const { reader, headers } = await Promise.race([opened, fired]);
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      take(next.value);
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    return headers;
  } finally {
    forget();
    letGo();
  }
}

/** Async, so that a model that throws at once is one that rejects. */
async function open(model: AiSdkModel, call: AiSdkCall): Promise<Opened> {
  const { stream, response } = await model.doStream(call);
  return { reader: stream.getReader(), headers: response?.headers ?? {} };
}
