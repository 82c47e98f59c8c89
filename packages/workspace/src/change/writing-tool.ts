// What every tool that replaces one file shares: it says beforehand which bytes it found and which it would leave, does
// that and nothing else, and can later tell by looking whether it was done. A tool adds only which bytes it intends.
import type { Digest, FileAct, LookContext, Tool, ToolContext, ToolResult } from "@harness/spec";
import { ActRefusedError, isHarnessError, sha256, ToolError } from "@harness/spec";
import { type FoundFile, findFile } from "../paths/found-file.js";
import { fileActs, grantedAct, type Place, type Resolve, resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { lookBack } from "./look-back.js";
import { changedSince, replaceFile } from "./replace-file.js";
import { report, unchanged } from "./report.js";

export interface Writing<Input> extends Pick<Tool<Input>, "name" | "description" | "input"> {
  /** The bytes to leave where `current` is now (`null` for no file). Depends on nothing else. Throws `ToolError`. */
  intend(input: Input, current: Uint8Array | null): Uint8Array;
  /** What may have been there before this left `after`: guesses, of which a digest picks the right one. Default: none. */
  undo?(input: Input, after: Uint8Array): Iterable<Uint8Array>;
}

interface Writer<Input> extends Pick<Writing<Input>, "intend"> {
  readonly resolve: Resolve;
  readonly intents: WeakMap<object, Intent>;
}

/**
 * What a call was found to do when it was planned. It is remembered for as long as somebody has the call's input and it was
 * not made: intending the same again, and taking the digests again, costs more than reading and writing the file.
 */
interface Intent {
  /** What was there, `null` for no file. */
  readonly current: Uint8Array | null;
  readonly before: Digest | null;
  readonly bytes: Uint8Array;
  readonly after: Digest;
}

/** A tool that writes the file at `input.path`. */
export function writingTool<Input extends { readonly path: string }>(writing: Writing<Input>): Tool<Input> {
  const { intend, undo = () => [], ...offer } = writing;
  const writer = { intend, resolve: resolver(rootFinder()), intents: new WeakMap<object, Intent>() };
  return {
    ...offer,
    effect: "write",
    // By looking first; where that cannot tell, someone is asked.
    recovery: "indeterminate",
    acts: (input, context) => plan(writer, input, context),
    invoke: (input, context) => write(writer, input, context),
    async probe(input, context) {
      return lookBack({ resolve: writer.resolve, path: input.path, undo: (after) => undo(input, after) }, context);
    },
  };
}

/**
 * The acts of a write, with digests as far as they can be told. What cannot be read or cannot be done is not reported yet:
 * a refusal must come first, because the reason would show what a file holds to someone who may not write it.
 */
async function plan<Input extends { readonly path: string }>(
  { resolve, intend, intents }: Writer<Input>,
  input: Input,
  { workspace, signal }: LookContext,
): Promise<readonly FileAct[]> {
  const place = await resolve(workspace, "write", input.path);
  const found = await unlessImpossible(() => findFile("write", place, { signal, withDigest: true }));
  if (found === undefined) return fileActs("write", place);
  const current = bytesOf(found);
  const before = found && (found.digest ?? sha256(found.bytes));
  const bytes = await unlessImpossible(async () => intend(input, current));
  if (bytes === undefined) return fileActs("write", place, { before });
  const after = sha256(bytes);
  intents.set(input, { current, before, bytes, after });
  return fileActs("write", place, { before, after });
}

async function unlessImpossible<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isHarnessError(error) && error.code === "tool-failed") return undefined;
    throw error;
  }
}

async function write<Input extends { readonly path: string }>(
  writer: Writer<Input>,
  input: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const { signal } = context;
  const place = await writer.resolve(context.workspace, "write", input.path);
  const act = grantedAct("write", place, context.granted);
  const planned = writer.intents.get(input);
  writer.intents.delete(input);
  const found = await findFile("write", place, { signal, expected: planned?.current ?? undefined });

  // The very bytes of the plan are the sign that the file still holds them.
  const isPlanned = planned?.current === bytesOf(found);
  const before = isPlanned ? planned.before : found && sha256(found.bytes);
  if (act.before !== before) throw changedSince(place);
  const bytes = isPlanned ? planned.bytes : writer.intend(input, bytesOf(found));
  const after = isPlanned ? planned.after : sha256(bytes);
  if (act.after !== after) throw otherContent(place);
  if (act.after === act.before) return unchanged(place);
  if (found && (found.mode & 0o222) === 0) throw writeProtected(place);
  signal.throwIfAborted();
  await context.keep(place.realTarget, bytesOf(found));
  const written = { before: bytesOf(found), after: bytes, digests: { before, after } };
  return replaceFile(place, { found, bytes, signal, answer: () => report(place, written) });
}

// Renaming over it would get round the protection, which someone may have meant.
function writeProtected({ target }: Place): ToolError {
  return new ToolError(
    `Could not write ${JSON.stringify(target)}: it is write-protected. Leave it, or ask for it to be opened.`,
  );
}

function otherContent(place: Place): ActRefusedError {
  return new ActRefusedError("write", place.target, "its content is not what was granted");
}

function bytesOf(found: FoundFile | null): Uint8Array | null {
  return found ? found.bytes : null;
}
