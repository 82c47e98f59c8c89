// The smallest API there is, and a server for it: one word of text per payload, so that a test of the transport says nothing of vendors.
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import type { CompletionRequest, ProviderError, Usage } from "@harness/spec";
import { onTestFinished } from "vitest";
import type { Decoder, Wire } from "../wire.js";
import { malformed, streamError } from "./classify.js";
import { type HttpProviderOptions, httpProvider } from "./http-provider.js";

/** `stop` finishes the answer, `[DONE]` ends it, `used` counts, `{"error":…}` fails; anything else is text. */
export function fakeWire(seen: string[] = []): Wire {
  return {
    path: "/ask",
    encode: ({ messages }, { model }) => ({ model, count: messages.length }),
    decoder: ({ provider, model, onDelta }) => {
      let text = "";
      let state: Decoder["state"] = "open";
      let usage: Usage | null = null;
      return {
        get state() {
          return state;
        },
        get usage() {
          return usage;
        },
        get hasContent() {
          return text !== "";
        },
        push(payload) {
          seen.push(payload);
          if (payload.startsWith('{"error"')) throw streamError(provider, JSON.parse(payload), { usage });
          if (payload === "[DONE]") state = "done";
          else if (payload === "stop") state = "finished";
          else if (payload === "used") usage = counts;
          else {
            text += payload;
            onDelta({ type: "text", text: payload });
          }
        },
        whole(body) {
          text = JSON.stringify(body);
          state = "done";
        },
        end() {
          if (state === "open") throw malformed(provider, "truncated", `${provider} broke off.`, usage);
          return { text, calls: [], reasoning: null, usage, model, stop: "end", finishReason: "stop" };
        },
      };
    },
  };
}

const counts: Usage = {
  promptTokens: 3,
  completionTokens: 2,
  totalTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

export const request: CompletionRequest = { system: "", messages: [{ role: "user", text: "hello" }], tools: [] };

export const key = "key-that-nobody-may-see";

/** A provider of the fake wire. */
export function providerAt(baseUrl: string, options: Partial<HttpProviderOptions> = {}) {
  return httpProvider({
    ...{ name: "acme", wire: fakeWire(), baseUrl, model: "m1", acceptsImages: false, deadlines: {} },
    headers: { authorization: `Bearer ${key}` },
    ...options,
  });
}

/** Options of a `complete` that nobody stops. */
export function patient(): { readonly signal: AbortSignal } {
  return { signal: new AbortController().signal };
}

/** What `promise` rejects with. */
export function failure(promise: Promise<unknown>): Promise<ProviderError> {
  return promise.then(
    () => Promise.reject(new Error("It succeeded.")),
    (error) => error,
  );
}

/** An HTTP server on loopback that is gone when the test is over. Resolves with its base address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => closed(server));
  return listening(server);
}

/** The same with raw sockets, for what no HTTP server would do. */
export async function serveSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    // Read on, or the end of the connection is never noticed.
    sockets.add(socket.on("error", () => {}).resume());
    onSocket(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return closed(server);
  });
  return listening(server);
}

export async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server | TcpServer): Promise<void> {
  if ("closeAllConnections" in server) server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** A listener that answers with `payloads` as one stream. */
export function streams(...payloads: readonly string[]): RequestListener {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(payloads.map((payload) => `data: ${payload}\n\n`).join(""));
  };
}

/** The head of a stream, for raw sockets. */
export const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/** `text` as one chunk of a chunked body. */
export const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** A server that does `answer` once it has read a request, and the sockets it has seen. */
export async function answering(answer: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const base = await serveSockets((socket) => {
    sockets.push(socket);
    socket.once("data", () => answer(socket));
  });
  return { base, sockets };
}

/** Resolves once every one of `sockets` is closed. */
export async function allClosed(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => socket.closed || new Promise((resolve) => socket.once("close", resolve))));
}
