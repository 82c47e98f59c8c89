// A provider that plays a script. Which reply it gives is read off the request, not off a counter: reply n answers the request
// that already holds n - 1 answers. So a new process goes on where a dead one was, and one double can stand in for both.
import { type CompletionRequest, type Endpoint, type Provider, ProviderError, type Usage } from "@harness/spec";
import { type Answer, completionOf, defaultUsage } from "./answers.js";
import type { Reply } from "./replies.js";
import { byCall, byTranscript, type Place, type Script } from "./script.js";

export interface ScriptedProviderOptions {
  /** Label in the trace. Default `scripted`. */
  readonly name?: string;
  /** What it claims to dial. Default: nothing. */
  readonly endpoints?: readonly Endpoint[];
  /** Named in completions when the request asks for no model. Default: absent, and completions name `scripted-model`. */
  readonly model?: string;
  /** What a reply costs that does not say. Default 10 prompt and 5 completion tokens. */
  readonly usage?: Partial<Usage>;
  /** Answers everything behind the script's end. Default: nobody does, and asking is an error. */
  readonly rest?: Reply;
  /**
   * Counts calls instead of reading the transcript, and keeps no requests: what a completion costs then does not depend on how
   * long the run is. Good for one run in one process, where every attempt takes the next reply.
   */
  readonly byCall?: boolean;
}

/** A completion that was asked for. `request` is a copy of its own. */
export interface TakenRequest extends Place {
  readonly request: CompletionRequest;
}

export interface ScriptedProvider extends Provider {
  /** How often it was asked, unscripted requests included. */
  readonly asked: number;
  /** How often reply `turn` (from 1) was asked for. */
  attempts(turn: number): number;
  /** What it was asked, in order; empty with `byCall`. */
  readonly requests: readonly TakenRequest[];
  /** What the script holds and nobody took, in words. A reply that a request already holds was taken, by whomever. */
  unused(): readonly string[];
  /** Throws `Error` naming what nobody took and what was asked for without being scripted. */
  assertDone(): void;
}

/** Plays `script`. A completion that nobody scripted is a `ProviderError` (`request`), which is not worth another try. */
export function scriptedProvider(script: Script, options: ScriptedProviderOptions = {}): ScriptedProvider {
  const { name = "scripted", endpoints = [], model, rest } = options;
  const usage = defaultUsage(options.usage);
  const playback = options.byCall ? byCall(script) : byTranscript(script);
  const requests: TakenRequest[] = [];
  const unscripted: string[] = [];
  let asked = 0;

  function take(request: CompletionRequest): Place {
    asked += 1;
    const place = playback.take(request);
    if (!options.byCall) requests.push({ ...place, request: copyOf(request) });
    return place;
  }

  function refuse({ turn }: Place): Promise<never> {
    const length = playback.entries.length;
    const message = `Reply ${turn} was asked for, and the script holds ${length}. Script it, or find out who asked.`;
    unscripted.push(message);
    return Promise.reject(new ProviderError("request", name, message));
  }

  return {
    spec: 1,
    name,
    endpoints,
    ...(model === undefined ? {} : { model }),
    // Not async: a reply that throws at once throws out of here, as it would from a provider with a defect.
    complete(request, { signal, onDelta = () => {} }) {
      const place = take(request);
      const reply = replyAt(playback.entries, place) ?? rest;
      if (reply === undefined) return refuse(place);
      const whole = (answer: Answer) => completionOf(answer, usage, request.model ?? model ?? "scripted-model");
      if (typeof reply !== "function") return Promise.resolve(whole(reply));
      const answer = reply(request, { signal, onDelta, ...place, provider: name });
      return answer instanceof Promise ? answer.then(whole) : Promise.resolve(whole(answer));
    },
    get asked() {
      return asked;
    },
    attempts: (turn) => playback.attempts(turn),
    requests,
    unused: () => playback.unused(),
    assertDone() {
      const complaints = [...playback.unused().map((what) => `Nobody took ${what}.`), ...unscripted];
      if (complaints.length > 0) throw new Error(complaints.join("\n"));
    },
  };
}

function replyAt(entries: readonly (readonly Reply[])[], { turn, attempt }: Place): Reply | undefined {
  const entry = entries[turn - 1];
  return entry?.[Math.min(attempt, entry.length) - 1];
}

/** A provider may keep nothing of a request, so the lists are copied; messages themselves are never changed. */
function copyOf(request: CompletionRequest): CompletionRequest {
  return { ...request, messages: [...request.messages], tools: [...request.tools] };
}
