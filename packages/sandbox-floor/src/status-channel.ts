// What a wrapper says of itself on a descriptor of its own. It is read to the end and kept up to a bound: whoever gets hold of
// the other end must neither fill this process's memory nor be stopped by a full pipe.
import type { Readable } from "node:stream";
import type { WrapperStatus } from "./wrapped.js";

export interface StatusChannel {
  /** To be called once, in the tick in which the wrapper was started. */
  listen(stream: Readable): void;
  /** Calls `to` once, as soon as the wrapper has named the first process of a namespace. */
  onInit(to: (pid: number) => void): void;
  /** By what has been read. */
  status(): WrapperStatus;
  /** Settles when nobody can write to it any more, or it was let go of. */
  readonly closed: Promise<void>;
  release(): void;
}

const mostBytes = 64 * 1024;

/** `read` is asked what the words mean; when it throws, they mean nothing. */
export function statusChannel(read: (said: string) => WrapperStatus): StatusChannel {
  const pieces: Buffer[] = [];
  let room = mostBytes;
  let stream: Readable | undefined;
  let tellInit: ((pid: number) => void) | undefined;
  let close: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });

  function status(): WrapperStatus {
    try {
      return read(Buffer.concat(pieces).toString("utf8"));
    } catch {
      return { hasRun: false };
    }
  }

  function push(bytes: Buffer): void {
    if (room === 0) return;
    const kept = bytes.subarray(0, room);
    room -= kept.length;
    pieces.push(kept);
    const init = tellInit && status().init;
    if (init === undefined) return;
    tellInit?.(init);
    tellInit = undefined;
  }

  return {
    listen(from) {
      stream = from;
      from.on("data", push);
      from.on("error", () => {});
      from.once("close", close);
    },
    onInit(to) {
      tellInit = to;
    },
    status,
    closed,
    release() {
      stream?.destroy();
      close();
    },
  };
}
