// What a vendor would refuse a request for, or read wrongly.
import type { CompletionRequest, Message } from "@harness/spec";
import { hang, type Reply } from "@harness/testing";

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** What is wrong with each of `requests`, in words; nothing when all is well. */
export function faultsOf(requests: readonly { readonly request: CompletionRequest }[]): readonly string[] {
  return requests.flatMap(({ request: { messages } }, nth) =>
    messages
      .flatMap((message, index) => faults(messages, message, index))
      .map((fault) => `request ${nth + 1}: ${fault}`),
  );
}

function faults(messages: readonly Message[], message: Message, index: number): readonly string[] {
  const where = `message ${index + 1}`;
  switch (message.role) {
    case "user":
      return message.text === "" ? [`${where} is empty`] : [];
    case "results":
      return messages[index - 1]?.role === "assistant" ? [] : [`${where} answers nothing`];
    case "assistant": {
      const wrongNames = message.calls.filter(({ name }) => !toolName.test(name));
      return [
        ...wrongNames.map(({ name }) => `${where} names the tool ${JSON.stringify(name)}`),
        ...(index === messages.length - 1 ? [`${where} is the model's own and the last`] : []),
        ...unanswered(message.calls, messages[index + 1], where),
      ];
    }
    default:
      return message satisfies never;
  }
}

/** Every call has one result, in the message behind it and in the same order. */
function unanswered(
  calls: readonly { readonly id: string }[],
  next: Message | undefined,
  where: string,
): readonly string[] {
  const asked = calls.map(({ id }) => id).join();
  const answered = next?.role === "results" ? next.results.map(({ call }) => call).join() : "";
  return asked === answered ? [] : [`${where} asks for [${asked}] and is answered for [${answered}]`];
}

/** A reply that calls `begun` when it is asked for, and never comes. */
export function hangAfter(begun: () => void): Reply {
  return (request, context) => {
    queueMicrotask(begun);
    return hang()(request, context);
  };
}
