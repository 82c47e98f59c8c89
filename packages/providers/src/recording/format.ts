// What a recording is on disk: a line of JSON that says what it is, then parts and exchanges in the order they were made. An
// exchange is written in one piece with its new parts, so a process that dies leaves at most half a last line, which is passed over.
import { readFileSync } from "node:fs";
import { type Completion, ConfigError } from "@harness/spec";
import * as z from "zod";
import { type NumberedRequest, Parts } from "./request-parts.js";

/** Another one is another format, which this package does not read. */
const recordingVersion = 1;

export interface Exchange {
  readonly request: NumberedRequest;
  readonly completion: Completion;
}

/** Whose answers they are. */
export interface Recorded {
  readonly provider: string;
  readonly model?: string | undefined;
}

export interface Recording extends Recorded {
  readonly parts: Parts;
  readonly exchanges: readonly Exchange[];
  /** Bytes up to the end of the last whole line, and of the file. */
  readonly wholeBytes: number;
  readonly bytes: number;
}

export function headerLine({ provider, model }: Recorded): string {
  return line({ recording: recordingVersion, provider, model });
}

/** What `exchange` adds to a recording that has all parts below `firstNew`. */
export function exchangeLines(exchange: Exchange, parts: Parts, firstNew: number): string {
  const added = Array.from({ length: parts.size - firstNew }, (_, nth) => firstNew + nth);
  return added.map((part) => line({ part, value: parts.at(part) })).join("") + line(exchange);
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const header = z.object({ recording: z.number(), provider: z.string(), model: z.string().optional() });
const part = z.object({ part: z.int(), value: z.unknown() }).refine(({ value }) => value !== undefined);
const exchange = z.object({
  request: z.looseObject({ system: z.int(), tools: z.array(z.int()), messages: z.array(z.int()) }),
  completion: z.looseObject({}),
});

/** Throws `ConfigError` when there is none at `path`, when it has another version, or when it is no recording. */
export function readRecording(path: string): Recording {
  const file = contentOf(path);
  const end = 1 + file.lastIndexOf("\n");
  const [first, ...lines] = file.subarray(0, end).toString("utf8").trimEnd().split("\n");
  const { recording: version, ...recorded } = parsed(header, first ?? "", path, 1);
  if (version !== recordingVersion) {
    const message = `The recording ${path} has version ${version}, and this package reads version ${recordingVersion}. Record the run again, or replay it with the package that recorded it.`;
    throw new ConfigError(message, { path: ["path"] });
  }
  return { ...recorded, ...contents(lines, path), wholeBytes: end, bytes: file.length };
}

/** False for what a process leaves that dies in its first write. */
export function hasWholeLine(path: string): boolean {
  return contentOf(path).includes("\n");
}

function contents(lines: readonly string[], path: string): Pick<Recording, "parts" | "exchanges"> {
  const parts = new Parts();
  const exchanges: Exchange[] = [];
  lines.forEach((text, index) => {
    const entry = parsed(z.union([part, exchange]), text, path, index + 2);
    if (!("part" in entry)) exchanges.push(checked(entry as unknown as Exchange, parts, path, index + 2));
    else if (parts.add(entry.value) !== entry.part) throw unreadable(path, index + 2, "its parts are not in order");
  });
  return { parts, exchanges };
}

function checked(exchange: Exchange, parts: Parts, path: string, lineNumber: number): Exchange {
  const { system, tools, messages } = exchange.request;
  const missing = [system, ...tools, ...messages].find((number) => number < 0 || number >= parts.size);
  if (missing !== undefined) throw unreadable(path, lineNumber, `it names part ${missing}, which is not above it`);
  return exchange;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === "ENOENT"
        ? `There is no recording at ${path}. Record a run there first, or correct the path.`
        : `The recording ${path} could not be read: ${(cause as Error).message}.`;
    throw new ConfigError(message, { cause, path: ["path"] });
  }
}

function parsed<Value>(schema: z.ZodType<Value>, text: string, path: string, lineNumber: number): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, lineNumber, "it is no JSON", cause);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unreadable(
    path,
    lineNumber,
    lineNumber === 1 ? "it does not say that this is a recording" : "it is neither a part nor an exchange",
  );
}

function unreadable(path: string, lineNumber: number, problem: string, cause?: unknown): ConfigError {
  const message = `The recording ${path} cannot be read at line ${lineNumber}: ${problem}. Restore a copy of it, or record the run again.`;
  return new ConfigError(message, { cause, path: ["path"] });
}
