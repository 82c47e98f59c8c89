// A vendor on the loopback interface, as faulty as it is told to be. It knows no API: what it answers is text, so one server plays
// every wire, and a fault is a reply like any other.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that arrived whole. */
export interface TakenRequest {
  readonly method: string;
  /** With the query, from the first slash. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the vendor does with a request. */
export type VendorReply =
  /** A whole answer. Default: status 200, `application/json`. */
  | {
      readonly type: "body";
      readonly body: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An answer in pieces. Default: status 200, `text/event-stream`, all of it at once, and then a proper end. */
  | {
      readonly type: "stream";
      readonly text: string;
      /** Every so many bytes are a chunk of their own, wherever that splits a character. */
      readonly bytesPerChunk?: number;
      /** What comes behind `text`: so many comments, 30 ms apart, and then more text. */
      readonly late?: { readonly comments: number; readonly text: string };
      readonly ending?: StreamEnding;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and says nothing, ever. */
  | { readonly type: "silence" }
  /** Breaks the connection before the first byte. */
  | { readonly type: "reset" };

/**
 * What follows the last byte of a stream. `end`: the proper end. `cut`: the connection closes as if the answer went on.
 * `reset`: it breaks. `hold`: nothing, and it stays open. `comments`: a comment now and then, for ever.
 */
export type StreamEnding = "end" | "cut" | "reset" | "hold" | "comments";

export interface VendorServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** Every request so far, in the order in which they came. */
  readonly taken: readonly TakenRequest[];
  /** How many replies have begun whose connection is neither done with them nor gone. */
  readonly unfinished: number;
  /** What it does from now on. Default: a failure with status 500. */
  answer(reply: VendorReply | ((request: TakenRequest) => VendorReply)): void;
  /** Breaks what is open and stops listening. May be called twice. */
  close(): Promise<void>;
}

/** Starts a vendor on a free port of the loopback interface. */
export async function vendorServer(): Promise<VendorServer> {
  const taken: TakenRequest[] = [];
  const unfinished = new Set<ServerResponse>();
  let answerTo: (request: TakenRequest) => VendorReply = () => ({ type: "body", status: 500, body: "{}" });

  const server = createServer(async (incoming, response) => {
    unfinished.add(response);
    response.once("close", () => unfinished.delete(response));
    const request = await requestOf(incoming).catch(() => undefined);
    if (!request) return;
    taken.push(request);
    perform(answerTo(request), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    taken,
    get unfinished() {
      return unfinished.size;
    },
    answer(reply) {
      answerTo = typeof reply === "function" ? reply : () => reply;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function requestOf(incoming: IncomingMessage): Promise<TakenRequest> {
  let body = "";
  incoming.setEncoding("utf8");
  for await (const piece of incoming) body += piece;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: Object.fromEntries(headers),
    body,
  };
}

function perform(reply: VendorReply, response: ServerResponse): void {
  switch (reply.type) {
    case "body":
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body);
      return;
    case "stream":
      stream(reply, response);
      return;
    case "silence":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    default:
      reply satisfies never;
  }
}

function stream(reply: Extract<VendorReply, { type: "stream" }>, response: ServerResponse): void {
  const { text, bytesPerChunk, late, ending = "end", status = 200, headers } = reply;
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  for (const chunk of chunksOf(Buffer.from(text), bytesPerChunk)) response.write(chunk);
  if (!late) {
    finish(response, ending);
    return;
  }
  comment(response, late.comments, () => {
    response.write(late.text);
    finish(response, ending);
  });
}

function* chunksOf(bytes: Buffer, size = bytes.length): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function finish(response: ServerResponse, ending: StreamEnding): void {
  const { socket } = response;
  response.flushHeaders();
  if (ending === "end") response.end();
  // Behind an empty write, so that everything that was written before it has left the process.
  if (ending === "cut") socket?.write("", () => socket.destroy());
  if (ending === "reset") socket?.write("", () => socket.resetAndDestroy());
  if (ending === "comments") comment(response, Number.POSITIVE_INFINITY, () => {});
}

const commentEveryMs = 30;

/** Sends `count` comments, unless the connection goes first, and then calls `onDone`. */
function comment(response: ServerResponse, count: number, onDone: () => void): void {
  let left = count;
  const timer = setInterval(() => {
    left -= 1;
    response.write(": still there\n\n");
    if (left > 0) return;
    clearInterval(timer);
    onDone();
  }, commentEveryMs);
  response.once("close", () => clearInterval(timer));
}
