// Payloads as a stream of events, in every way that the standard allows and vendors use.

/** How a stream is written. An absent part is written in the usual way. */
export interface Framing {
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** No space behind `data:`. */
  readonly isTight?: boolean;
  /** A line before every event. */
  readonly before?: string;
  /** In front of everything. */
  readonly prefix?: string;
  /** Another end mark behind the end mark. */
  readonly endsTwice?: boolean;
  /** No line end behind the last event. */
  readonly isUnterminated?: boolean;
  /** An `event:` line for each: what stands in it. Default: the payload's own type, where it has one. */
  readonly nameOf?: (payload: string) => string | undefined;
}

/** Ways to frame a stream that change nothing of what it says, each under what it is. */
export const framings: Readonly<Record<string, Framing>> = {
  "LF line ends": { lineEnd: "\n" },
  "CRLF line ends": { lineEnd: "\r\n" },
  "CR line ends": { lineEnd: "\r" },
  "no space behind data:": { isTight: true },
  "a comment before every event": { before: ": keep-alive" },
  "a byte-order mark": { prefix: "\uFEFF" },
  "a second end mark": { endsTwice: true },
  "no line end behind the last event": { isUnterminated: true },
  "no event names": { nameOf: () => undefined },
  "event names that mean nothing": { nameOf: () => "message" },
};

/** The text of a stream whose events carry `payloads`, one each. */
export function inEvents(payloads: readonly string[], framing: Framing = {}): string {
  const { lineEnd = "\n", isTight = false, before, prefix = "", nameOf = typeOf } = framing;
  const lines = withEndMarks(payloads, framing).flatMap((payload) => {
    const name = nameOf(payload);
    const data = payload.split("\n").map((line) => `data:${isTight ? "" : " "}${line}`);
    return [...(before === undefined ? [] : [before]), ...(name === undefined ? [] : [`event: ${name}`]), ...data, ""];
  });
  const text = lines.map((line) => `${line}${lineEnd}`).join("");
  return prefix + (framing.isUnterminated ? text.replace(/[\r\n]+$/, "") : text);
}

function withEndMarks(payloads: readonly string[], { endsTwice }: Framing): readonly string[] {
  return endsTwice && payloads.at(-1) === "[DONE]" ? [...payloads, "[DONE]"] : payloads;
}

function typeOf(payload: string): string | undefined {
  return payload.startsWith("{") ? JSON.parse(payload).type : undefined;
}
