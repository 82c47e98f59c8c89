// The words in one delta. Several gateways send the same reasoning under two names, so only the first that has any counts.
import { isFields, textOf } from "../payload/fields.js";

export interface Words {
  readonly text: string;
  readonly reasoning: string;
  /** Whether some of the text is a refusal to answer. */
  readonly isRefusal: boolean;
}

/** Of `choices[0].delta`, or of the whole message. */
export function wordsOf(delta: Readonly<Record<string, unknown>>): Words {
  const { content } = delta;
  const parts = Array.isArray(content) ? content.filter(isFields) : [];
  const refusal = textOf(delta.refusal);
  return {
    text: (typeof content === "string" ? content : joined(parts, "text")) + refusal,
    reasoning: reasoningOf(delta) || joined(parts, "thinking"),
    isRefusal: refusal !== "",
  };
}

function reasoningOf(delta: Readonly<Record<string, unknown>>): string {
  const { reasoning_details: details } = delta;
  return (
    (Array.isArray(details) ? details.map(shown).join("") : "") ||
    textOf(delta.reasoning_content) ||
    textOf(delta.reasoning) ||
    textOf(delta.reasoning_text)
  );
}

function shown(detail: unknown): string {
  if (!isFields(detail)) return "";
  if (detail.type === "reasoning.text") return textOf(detail.text);
  return detail.type === "reasoning.summary" ? textOf(detail.summary) : "";
}

/** A thinking part holds text parts of its own, or its text as it is. */
function joined(parts: readonly Readonly<Record<string, unknown>>[], type: "text" | "thinking"): string {
  return parts
    .filter((part) => part.type === type)
    .map((part) => {
      const inner = part[type];
      return Array.isArray(inner) ? joined(inner.filter(isFields), "text") : textOf(inner);
    })
    .join("");
}
