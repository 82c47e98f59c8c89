// Who takes the bytes of an answer as they come in. The exchange knows sockets and time, and a reader knows what the bytes mean.
import type { Usage } from "@harness/spec";
import type { Libraries } from "./transport.js";

/** The head of an answer that is a success. */
export interface Answer {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch ms, from before the socket opened. */
  readonly startedAt: number;
  readonly libraries: Libraries;
}

/** Reads the body of one answer. All but `close` throw `ProviderError` for what they cannot accept. */
export interface Reader<T> {
  push(bytes: Uint8Array): void;
  /** `open`: more must come. `finished`: more may come. `done`: no more is wanted. */
  readonly state: "open" | "finished" | "done";
  /** Counts so far; a failed attempt was billed too. */
  readonly usage: Usage | null;
  /** The last byte was there. Not called when the body broke off: what is half there is then not read. */
  flush(): void;
  /** Called at most once: no more comes, or no more is waited for. */
  end(): T;
  /** Nothing is to be told to anyone from now on. */
  close(): void;
}
