// Everything that is done with a command's output while it comes: it is kept, counted, and shown to whoever watches.
// Reading never stops, whatever is left out: a full pipe that nobody reads would stop the command.
import { StringDecoder } from "node:string_decoder";
import type { Captured, SandboxCommand } from "@harness/spec";
import { headAndTail, newestWindow } from "./captured.js";

export interface Output {
  readonly totalBytes: number;
  push(bytes: Uint8Array): void;
  /** No more will come. */
  end(): void;
  captured(): Captured;
  take(): Captured;
}

export interface OutputOptions {
  readonly stream: "stdout" | "stderr";
  readonly keepBytes: number;
  /** For `take`. Absent when nobody can ask in between. */
  readonly windowBytes?: number | undefined;
  readonly onOutput?: SandboxCommand["onOutput"] | undefined;
}

const nothing: Captured = { text: "", elidedBytes: 0 };

export function output({ stream, keepBytes, windowBytes, onOutput }: OutputOptions): Output {
  const kept = headAndTail(keepBytes);
  const window = windowBytes === undefined ? undefined : newestWindow(windowBytes);
  const live = onOutput && { decoder: new StringDecoder("utf8"), show: onOutput };
  let totalBytes = 0;
  let hasEnded = false;

  function show(text: string): void {
    if (text === "" || live === undefined) return;
    try {
      live.show(stream, text);
    } catch {
      // A watcher only watches: what it throws ends neither the command nor this process.
    }
  }

  return {
    get totalBytes() {
      return totalBytes;
    },
    push(bytes) {
      if (hasEnded) return;
      totalBytes += bytes.length;
      kept.push(bytes);
      window?.push(bytes);
      if (live) show(live.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
    },
    end() {
      if (hasEnded) return;
      hasEnded = true;
      if (live) show(live.decoder.end());
    },
    captured: () => kept.captured(),
    take: () => window?.take(hasEnded) ?? nothing,
  };
}
