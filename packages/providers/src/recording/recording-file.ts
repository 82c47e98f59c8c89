// The file behind `record`. Each exchange is durable before its answer is given out, so that what a run acted on can be replayed,
// however the process ends. Writes go one behind the other; the first that fails is the last, because a recording with a hole
// would replay as something that never happened.
import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Completion, type CompletionRequest, ConfigError } from "@harness/spec";
import { exchangeLines, hasWholeLine, headerLine, type Recorded, type Recording, readRecording } from "./format.js";
import { numbered, Parts } from "./request-parts.js";

export interface RecordingFileOptions extends Recorded {
  readonly path: string;
  readonly existing: "append" | "replace" | undefined;
}

export interface RecordingFile {
  /** Resolves when the exchange is on disk. Rejects once anything could not be written, and from then on. */
  append(request: CompletionRequest, completion: Completion): Promise<void>;
}

/** Writes nothing before the first exchange. Throws `ConfigError` for a file that may not be written over, or not gone on with. */
export function recordingFile(options: RecordingFileOptions): RecordingFile {
  const { path, existing } = options;
  const before = beginning(options);
  const parts = before?.parts ?? new Parts();
  let last: Promise<void> = Promise.resolve();
  let isFirst = true;
  let writtenParts = parts.size;
  let bytes = before?.bytes ?? 0;

  async function write(text: string): Promise<void> {
    if (isFirst) await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, isFirst ? firstFlag(existing, before) : "a", 0o600);
    try {
      await checkSize(handle, bytes);
      const end = isFirst && before ? before.wholeBytes : bytes;
      if (end < bytes) await handle.truncate(end);
      await handle.appendFile(text);
      await handle.datasync();
      bytes = end + Buffer.byteLength(text);
      isFirst = false;
    } finally {
      await handle.close();
    }
  }

  function textOf(request: CompletionRequest, completion: Completion): string {
    const exchange = { request: numbered(request, (part) => parts.add(part)), completion };
    const header = before === undefined && writtenParts === 0 ? headerLine(options) : "";
    const text = header + exchangeLines(exchange, parts, writtenParts);
    writtenParts = parts.size;
    return text;
  }

  return {
    append(request, completion) {
      const text = textOf(request, completion);
      last = last.then(() => write(text));
      return last;
    },
  };
}

/** What is there already and is gone on with. */
function beginning({ path, existing, provider }: RecordingFileOptions): Recording | undefined {
  if (existing === "replace" || !existsSync(path)) return undefined;
  if (existing === undefined) {
    const message = `There is something at ${path} already, and a recording may be all that is left of a run. Record to another path, or pass existing: "append" or "replace".`;
    throw new ConfigError(message, { path: ["path"] });
  }
  if (!hasWholeLine(path)) return undefined;
  const before = readRecording(path);
  if (before.provider === provider) return before;
  const message = `The recording ${path} has answers of ${before.provider}, and those of ${provider} would not be told apart. Record to another path.`;
  throw new ConfigError(message, { path: ["path"] });
}

function firstFlag(existing: RecordingFileOptions["existing"], before: Recording | undefined): string {
  if (existing === undefined) return "wx";
  return before ? "a" : "w";
}

/** Two writers would give the same number to two parts. */
async function checkSize(handle: FileHandle, expected: number): Promise<void> {
  const { size } = await handle.stat();
  if (size !== expected) throw new Error("something else has written to it");
}
