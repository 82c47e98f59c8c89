// From what a model wrote as the arguments of a call to an object, or to the knowledge that it is none.
import { isJsonObject, type JsonObject, type ProposedCall } from "@harness/spec";

type Arguments = Pick<ProposedCall, "arguments" | "invalidArguments">;

/** Nothing at all means no arguments. What is no object stays as the model wrote it. */
export function parsedArguments(written: string): Arguments {
  const text = written.trim();
  if (text === "" || text === "null") return { arguments: {} };
  const found = objectIn(text) ?? objectIn(withoutPrimer(text));
  return found ? { arguments: found } : { arguments: null, invalidArguments: written };
}

/** Whether it is a whole object by now. More may follow all the same. */
export function isWholeObject(written: string): boolean {
  const text = written.trim();
  return text.endsWith("}") && isJsonObject(parsed(text));
}

/** Some vendors send an object as JSON in a JSON string. */
function objectIn(text: string): JsonObject | undefined {
  const value = parsed(text);
  const inner = typeof value === "string" ? parsed(value) : value;
  return isJsonObject(inner) ? inner : undefined;
}

/** Some proxies begin every call with `{}` and then send the arguments. */
function withoutPrimer(text: string): string {
  return text.replace(/^\{\s*\}\s*(?=\{)/, "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
