// The conversation as the model will be sent it. It grows by sharing, its digest is chained, so a step costs the same however
// long it is. Results enter in call order once all are there, whatever order they came in.
import { type Digest, type Message, type RunEvent, sha256, type TaskContract } from "@harness/spec";
import { emptyVector, push, type Vector } from "../events/vector.js";
import { allDone, type CallsState } from "../tools/call-state.js";
import { briefing, checkNote, nudge, observe, replanNote } from "./assemble.js";

export interface Transcript {
  readonly messages: Vector<Message>;
  /** UTF-16 units over all messages, for estimates. */
  readonly chars: number;
  readonly digest: Digest;
  /** The last text the model wrote. */
  readonly lastText: string | null;
}

export const noTranscript: Transcript = { messages: emptyVector(), chars: 0, digest: sha256(""), lastText: null };

/** `calls` is the state of the calls after `event`. */
export function evolveTranscript(
  transcript: Transcript,
  event: RunEvent,
  calls: CallsState,
  contract: TaskContract,
): Transcript {
  switch (event.type) {
    case "run.started":
      return add(transcript, { role: "user", text: briefing(contract) });
    case "completion.finished":
      return addReply(transcript, event, calls);
    case "tool.finished":
      return allDone(calls) ? add(transcript, observe(calls.list, contract.limits.maxObservationChars)) : transcript;
    case "run.replanned":
      return add(transcript, { role: "user", text: replanNote(event.content?.text ?? "") });
    case "gate.finished":
      return event.result === "failed" ? add(transcript, { role: "user", text: checkNote(event) }) : transcript;
    case "step.finished": {
      // A vendor that is sent its own words last takes them for the beginning of its next ones.
      const lastMessage = transcript.messages.shared[transcript.messages.length - 1];
      return event.ends === null && lastMessage?.role === "assistant" ? add(transcript, nudge) : transcript;
    }
    default:
      return transcript;
  }
}

function addReply(
  transcript: Transcript,
  event: Extract<RunEvent, { type: "completion.finished" }>,
  calls: CallsState,
): Transcript {
  const { text = null, continuation } = event.content ?? {};
  const asked = calls.list.map(({ id, name, arguments: input, invalidArguments }, index) => {
    const vendorId = event.calls[index]?.vendorId;
    return {
      id,
      name,
      arguments: input,
      ...(invalidArguments === undefined ? {} : { invalidArguments }),
      ...(vendorId === undefined ? {} : { vendorId }),
    };
  });
  const message: Message = { role: "assistant", text, calls: asked, ...(continuation ? { continuation } : {}) };
  return { ...add(transcript, message), lastText: text ?? transcript.lastText };
}

function add(transcript: Transcript, message: Message): Transcript {
  const json = JSON.stringify(message);
  return {
    messages: push(transcript.messages, message),
    chars: transcript.chars + json.length,
    digest: sha256(transcript.digest + json),
    lastText: transcript.lastText,
  };
}
