// The links of a fallback that failed, as the log has them: facts apart from words, and counts that can be added up.
import type { EventOf, FailedLink, LinkFailure } from "@harness/spec";
import { readUsage } from "../outcome/spend.js";

type Unstamped<Event> = Omit<Event, "seq" | "at">;
type CompletionEvent = Unstamped<EventOf<"completion.finished">> | Unstamped<EventOf<"completion.failed">>;

/** `event` with the links that failed before it; as it is where there are none. */
export function withLinks<Event extends CompletionEvent>(
  event: Event,
  links: readonly FailedLink[] | undefined,
): Event {
  if (!Array.isArray(links) || links.length === 0) return event;
  const words = links.map(({ message }: FailedLink) => String(message ?? ""));
  return { ...event, failedLinks: links.map(factsOf), content: { ...event.content, failedLinks: words } };
}

function factsOf({ provider, kind, status, vendorCode, model, usage }: FailedLink): LinkFailure {
  return {
    provider,
    kind,
    status: status ?? null,
    vendorCode: vendorCode ?? null,
    model: model ?? null,
    usage: readUsage(usage),
  };
}
