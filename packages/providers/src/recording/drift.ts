// What is said of a request that was never recorded: the recorded one that is nearest to it, and where they differ first.
import { type CompletionRequest, type Message, ProviderError } from "@harness/spec";
import { excerpt, firstDifference } from "./difference.js";
import type { Recording } from "./format.js";
import { expanded, type NumberedRequest, withoutContinuation } from "./request-parts.js";

export interface Drift {
  readonly provider: string;
  readonly path: string;
  readonly recording: Recording;
  readonly asked: CompletionRequest;
  /** The same, in numbers of the recording's parts. */
  readonly numbers: NumberedRequest;
}

/** Not worth another try: the recording will not have learnt more. */
export function driftError({ provider, path, recording, asked, numbers }: Drift): ProviderError {
  const message = `The recording ${path} holds no answer to this request (${describe(asked)}). ${nearness(recording, asked, numbers)} Replay the task that was recorded, or record this one.`;
  return new ProviderError("request", provider, message);
}

function nearness({ exchanges, parts }: Recording, asked: CompletionRequest, numbers: NumberedRequest): string {
  const nearest = nearestOf(
    exchanges.map(({ request }) => request),
    numbers,
  );
  const recorded = exchanges[nearest];
  if (!recorded) return "It holds none at all.";
  const messages = asked.messages.map(withoutContinuation);
  const difference = firstDifference(expanded(recorded.request, parts), { ...asked, messages });
  const which = `request ${nearest + 1} of the ${exchanges.length} that were recorded`;
  return difference
    ? `It first differs from the nearest, ${which}, at ${difference.path}: recorded is ${difference.expected}, asked is ${difference.found}.`
    : `The nearest is ${which}.`;
}

/** The index of the one that begins most alike; among equals, the one that is like it in more, and then the earlier one. */
function nearestOf(requests: readonly NumberedRequest[], asked: NumberedRequest): number {
  let best = -1;
  let bestScore: readonly number[] = [];
  requests.forEach((request, index) => {
    const score = likeness(request, asked);
    if (best >= 0 && compare(score, bestScore) <= 0) return;
    best = index;
    bestScore = score;
  });
  return best;
}

function likeness(recorded: NumberedRequest, asked: NumberedRequest): readonly number[] {
  const differing = asked.messages.findIndex((message, index) => message !== recorded.messages[index]);
  const common = differing < 0 ? asked.messages.length : differing;
  const isSame = (a: unknown, b: unknown) => (String(a) === String(b) ? 1 : 0);
  return [
    common,
    isSame(recorded.system, asked.system),
    isSame(recorded.tools, asked.tools),
    -Math.abs(recorded.messages.length - asked.messages.length),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function describe({ messages, tools }: CompletionRequest): string {
  const last = messages.findLast((message): message is Extract<Message, { role: "user" }> => message.role === "user");
  const said = last ? `; what the user said last begins ${excerpt(last.text)}` : "";
  return `${messages.length} messages, ${tools.length} tools${said}`;
}
