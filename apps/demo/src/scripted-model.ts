// The model that plays when there is no other: a provider like any, found by its module, so that a run it began can be resumed
// from any process. Which reply it gives is read off the request, so it goes on where the run was cut.
import { type Provider, ProviderError, systemClock } from "@harness/spec";
import { type Answer, type ReplyContext, type ReplyFunction, scriptedProvider } from "@harness/testing";
import { script } from "./script.js";

/** How long a reply takes, in ms: at 0 it is there at once. Read for each, so that a process can be told to hurry. */
const paceVariable = "HARNESS_DEMO_PACE_MS";
const usualPaceMs = 400;

export const provider: Provider = scriptedProvider(script.map(spoken), {
  name: "scripted-demo",
  model: "demo-script",
  usage: { promptTokens: 900, completionTokens: 120 },
});

/** `answer`, written out word by word. */
function spoken(answer: Answer): ReplyFunction {
  return async (_request, context) => {
    const words = (answer.text ?? "").split(/(?<= )/);
    const pauseMs = paceMs() / words.length;
    for (const text of words) {
      if (context.signal.aborted) throw stopped(context);
      if (pauseMs > 0) await pause(pauseMs, context);
      context.onDelta({ type: "text", text });
    }
    return answer;
  };
}

function paceMs(): number {
  const given = Number(process.env[paceVariable] ?? usualPaceMs);
  return Number.isFinite(given) && given >= 0 ? given : usualPaceMs;
}

async function pause(ms: number, context: ReplyContext): Promise<void> {
  await systemClock()
    .sleep(ms, { signal: context.signal })
    .catch(() => {
      throw stopped(context);
    });
}

function stopped({ provider: name, signal }: ReplyContext): ProviderError {
  return new ProviderError("cancelled", name, "The reply was stopped.", { cause: signal.reason });
}
