// What cargo says in JSON, as it would have said it to a person.
import { z } from "zod";

const compilerMessage = z.object({
  reason: z.literal("compiler-message"),
  message: z.object({ rendered: z.string() }),
});

/** The rendered compiler messages in `output`, one JSON object per line. Other objects and lines are passed over. */
export function renderedMessages(output: string): string {
  return output
    .split("\n")
    .flatMap((line) => {
      const parsed = compilerMessage.safeParse(parsedJson(line));
      return parsed.success ? [parsed.data.message.rendered.trimEnd()] : [];
    })
    .join("\n\n");
}

function parsedJson(line: string): unknown {
  // A line that is not an object is progress, or was cut where output was left out.
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
