// The conversation as the model will be sent it. It grows by sharing, its digest is chained, so a step costs the same however
// long it is. Results enter in call order once all are there, whatever order they came in.
import {
  type Digest,
  type EventOf,
  type Message,
  type SealedEvent,
  type StoredEvent,
  sha256,
  type TaskContract,
  type ToolCall,
} from "@harness/spec";
import { emptyVector, last, push, type Vector } from "../events/vector.js";
import { allDone, type CallState, type CallsState } from "../tools/call-state.js";
import { planMissing } from "../tools/plan-words.js";
import { checkNote, nudge, observe, replanNote } from "./assemble.js";
import { briefing } from "./briefing.js";
import type { Phase } from "./phase.js";

export interface Transcript {
  readonly messages: Vector<Message>;
  /** About how many characters all messages have, for estimates. */
  readonly chars: number;
  /** Chained over the messages by the digests that the log has of their words. */
  readonly digest: Digest;
  /** The last text the model wrote. */
  readonly lastText: string | null;
}

export const noTranscript: Transcript = { messages: emptyVector(), chars: 0, digest: sha256(""), lastText: null };

/** `calls` is the state of the calls after `event`; `isPlanning` whether a plan was still to be made before it. */
export function evolveTranscript(
  transcript: Transcript,
  { event, stored }: SealedEvent,
  calls: CallsState,
  { contract, isPlanning }: Phase,
): Transcript {
  switch (event.type) {
    case "run.started":
      return brief(transcript, contract);
    case "completion.finished":
      return addReply(transcript, event, stored, calls);
    case "tool.finished":
      return allDone(calls) ? addResults(transcript, calls, contract.limits.maxObservationChars) : transcript;
    case "run.replanned":
      return say(transcript, replanNote(event.content?.text ?? ""));
    case "gate.finished":
      return event.result === "failed" ? say(transcript, checkNote(event)) : transcript;
    case "step.finished":
      // A vendor that is sent its own words last takes them for the beginning of its next ones.
      return event.ends === null && last(transcript.messages)?.role === "assistant"
        ? say(transcript, isPlanning ? planMissing : nudge)
        : transcript;
    default:
      return transcript;
  }
}

/** Pictures belong to the goal, so they are where the goal is, in every request. */
function brief(transcript: Transcript, contract: TaskContract): Transcript {
  const text = briefing(contract);
  const { images = [] } = contract;
  if (images.length === 0) return say(transcript, text);
  const name = [text, ...images.map(({ mediaType, base64 }) => `${mediaType} ${sha256(base64)}`)].join("\n");
  return add(transcript, { role: "user", text, images }, text.length, name);
}

function addReply(
  transcript: Transcript,
  event: EventOf<"completion.finished">,
  { content, contentHash }: StoredEvent,
  calls: CallsState,
): Transcript {
  const { text = null, continuation } = event.content ?? {};
  const asked = calls.list.map((call, index) => askedCall(call, event.calls[index]?.vendorId));
  const message: Message = continuation
    ? { role: "assistant", text, calls: asked, continuation }
    : { role: "assistant", text, calls: asked };
  const names = event.calls.map(({ name }) => name).join();
  return add(transcript, message, content?.length ?? 0, `${contentHash}${names}`, text ?? transcript.lastText);
}

function askedCall(
  { id, name, arguments: input, invalidArguments }: CallState,
  vendorId: string | undefined,
): ToolCall {
  if (invalidArguments === undefined && vendorId === undefined) return { id, name, arguments: input };
  return {
    id,
    name,
    arguments: input,
    ...(invalidArguments === undefined ? {} : { invalidArguments }),
    ...(vendorId === undefined ? {} : { vendorId }),
  };
}

function addResults(transcript: Transcript, { list }: CallsState, maxChars: number): Transcript {
  let chars = 0;
  let name = "";
  for (const { result } of list) {
    chars += Math.min(result?.text.length ?? 0, maxChars);
    name += `${result?.status}${result?.digest}`;
  }
  return add(transcript, observe(list, maxChars), chars, name);
}

function say(transcript: Transcript, text: string): Transcript {
  return add(transcript, { role: "user", text }, text.length, text);
}

/** `name` stands for the message's words: as good as the words, and short. */
function add(
  transcript: Transcript,
  message: Message,
  length: number,
  name: string,
  lastText: string | null = transcript.lastText,
): Transcript {
  return {
    messages: push(transcript.messages, message),
    chars: transcript.chars + length,
    digest: sha256(transcript.digest + name),
    lastText,
  };
}
