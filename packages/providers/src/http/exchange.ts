// One request and its answer, on one socket, under deadlines and a signal. Whatever happens first settles it, once: then the alarm is
// off, the signal is left alone, and the socket is free or destroyed. undici calls this object directly; its streams would cost more
// than the decoding.
import { type Clock, onAbort } from "@harness/spec";
import type { Dispatcher } from "undici";
import type { Address } from "./address.js";
import { requestIdOf } from "./classify.js";
import { type DeadlineName, type Limits, type Watch, watchDeadlines } from "./deadlines.js";
import { failureReader } from "./failure-reader.js";
import { asProviderError, cancelledError, deadlineError, restated, socketError } from "./faults.js";
import type { Answer, Reader } from "./reader.js";
import type { Libraries, Transport } from "./transport.js";

type Headers = Readonly<Record<string, string>>;

export interface Call<T> {
  readonly provider: string;
  readonly address: Address;
  readonly secrets: readonly string[];
  readonly limits: Limits;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly method: "GET" | "POST";
  /** Behind the base address. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal?: AbortSignal;
  readonly reader: (answer: Answer) => Reader<T>;
}

/** Rejects with `ProviderError`, whose words hold none of the secrets. */
export function exchange<T>(call: Call<T>): Promise<T> {
  return new Promise((resolve, reject) => new Exchange(call, resolve, reject).begin());
}

class Exchange<T> implements Dispatcher.DispatchHandler {
  readonly #call: Call<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: Error) => void;
  readonly #watch: Watch;
  #leaveSignal = () => {};
  #leaveQueue = () => {};
  #libraries: Libraries | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #startedAt = 0;
  #headers: Headers = {};
  #reader: Reader<T> | undefined;
  #isFailure = false;
  #isSettled = false;
  #hasEnded = false;

  constructor(call: Call<T>, resolve: (value: T) => void, reject: (error: Error) => void) {
    this.#call = call;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#watch = watchDeadlines(call.clock, call.limits, (deadline) => this.#expire(deadline));
  }

  begin(): void {
    const { signal, transport } = this.#call;
    if (signal?.aborted) {
      this.#cancel(signal);
      return;
    }
    if (signal) this.#leaveSignal = onAbort(signal, () => this.#cancel(signal));
    this.#watch.start();
    transport.load().then(
      (libraries) => this.#send(libraries),
      (error) => this.#fail(error),
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#leaveQueue();
    if (this.#isSettled) controller.abort(over());
    else this.#watch.connected();
  }

  onResponseStart(_: unknown, status: number, headers: Dispatcher.ResponseData["headers"]): void {
    const libraries = this.#libraries;
    if (this.#isSettled || status < 200 || !libraries) return;
    this.#watch.answered();
    this.#headers = joined(headers);
    this.#isFailure = status >= 300;
    this.#attempt(() => {
      this.#reader = this.#isFailure ? this.#failureReader(status) : this.#answerReader(libraries);
      this.#follow(this.#reader);
    });
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    const reader = this.#reader;
    if (this.#isSettled || !reader) return;
    this.#watch.received();
    this.#attempt(() => {
      reader.push(chunk);
      this.#follow(reader);
    });
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    if (this.#isSettled) return;
    this.#attempt(() => this.#reader?.flush());
    this.#conclude();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#hasEnded = true;
    const { provider, address } = this.#call;
    if (this.#isWhole) this.#conclude();
    else this.#fail(socketError(provider, address.target, error, this.#reader !== undefined));
  }

  #send(libraries: Libraries): void {
    if (this.#isSettled) return;
    const { address, method, path, headers, body, transport, clock } = this.#call;
    this.#libraries = libraries;
    this.#startedAt = clock.now();
    const request = { origin: address.origin, path: address.pathOf(path), method, headers, body };
    this.#leaveQueue = transport.send(request, this);
    // Over a connection that stands already, the request has begun before `send` returns.
    if (this.#controller || this.#isSettled) this.#leaveQueue();
  }

  #answerReader(libraries: Libraries): Reader<T> {
    return this.#call.reader({ headers: this.#headers, startedAt: this.#startedAt, libraries });
  }

  #failureReader(status: number): Reader<never> {
    const { provider, secrets, clock } = this.#call;
    return failureReader({ provider, status, headers: this.#headers, secrets, nowMs: clock.now() });
  }

  #follow({ state }: Reader<T>): void {
    if (this.#isSettled || state === "open") return;
    if (state === "done") this.#conclude();
    else this.#watch.linger();
  }

  /** Whether what has come is enough to settle with, even if nothing more comes. */
  get #isWhole(): boolean {
    return this.#reader !== undefined && this.#reader.state !== "open";
  }

  #expire(deadline: DeadlineName): void {
    const { provider, address, limits } = this.#call;
    if (this.#isWhole) this.#conclude();
    else this.#fail(deadlineError(provider, address.target, deadline, limits));
  }

  #cancel(signal: AbortSignal): void {
    if (this.#isWhole && !this.#isFailure) this.#conclude();
    else this.#fail(cancelledError(this.#call.provider, signal));
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #conclude(): void {
    const reader = this.#reader;
    if (this.#isSettled || !reader) return;
    this.#attempt(() => {
      const value = reader.end();
      this.#settle();
      this.#resolve(value);
      // What ends the answer is often in the same packet; the socket can then serve the next request.
      setImmediate(() => this.#hangUp());
    });
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    const { provider, secrets } = this.#call;
    const findings = { secrets, requestId: requestIdOf(this.#headers), usage: this.#reader?.usage };
    this.#settle();
    const failure = asProviderError(provider, error);
    this.#reject(failure.code === "provider-failed" ? restated(failure, findings) : failure);
    this.#hangUp();
  }

  #settle(): void {
    this.#isSettled = true;
    this.#reader?.close();
    this.#watch.stop();
    this.#leaveSignal();
    this.#leaveQueue();
  }

  #hangUp(): void {
    if (!this.#hasEnded) this.#controller?.abort(over());
  }
}

function over(): Error {
  return new Error("The request is over.");
}

function joined(headers: Dispatcher.ResponseData["headers"]): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
  );
  return Object.fromEntries(entries);
}
