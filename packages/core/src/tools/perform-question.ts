// A question of the model's to a person. What they say is its result: something to know, which permits nothing.
import { responderHere } from "../boundary/ask-here.js";
import { settle } from "../boundary/settle.js";
import { pauseEvent } from "../outcome/pause.js";
import type { CallState } from "./call-state.js";
import { questionId } from "./request-names.js";
import type { ToolPorts } from "./tool-ports.js";

export async function performQuestion(ports: ToolPorts, call: CallState): Promise<void> {
  await ports.durable();
  const { step, inbox, responder } = ports;
  const id = questionId(call);
  const { question } = call;
  const scope = ports.scopes.open(Number.POSITIVE_INFINITY);
  const here = responder && question && responderHere(responder, id, { ...question, choices: [...question.choices] });
  const answer = await settle(inbox, { type: "question", request: id }, here, scope.signal);
  scope.close();
  if (!answer || scope.stopped) return;
  ports.record(
    answer.type === "undecided"
      ? pauseEvent(step, ports.finished, { type: "awaiting-answer", questionId: id }, answer.detail)
      : { type: "question.answered", step, question: id, by: answer.by, content: { text: answer.text } },
  );
}
