// The sockets of one provider. undici and the stream parser are loaded with the first request, so that importing a provider costs
// nothing. Timeouts are ours alone (deadlines.ts): undici's are off, or they would undercut the longer ones.
import { ConfigError } from "@harness/spec";
import type { createParser } from "eventsource-parser";
import type { Agent, Dispatcher } from "undici";

export interface Libraries {
  readonly createParser: typeof createParser;
}

export interface HttpRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Transport {
  /** Loads what a request needs, once. */
  load(): Promise<Libraries>;
  /** Only after `load`. The function returned says that this request no longer waits for a connection; more calls do nothing. */
  send(request: HttpRequest, handler: Dispatcher.DispatchHandler): () => void;
}

interface Dialling {
  destroy(error: Error): unknown;
}

export function openTransport(): Transport {
  const dialling = new Set<Dialling>();
  let loading: Promise<Libraries> | undefined;
  let agent: Agent | undefined;
  let waiting = 0;

  async function load(): Promise<Libraries> {
    const [undici, { createParser }] = await Promise.all([import("undici"), import("eventsource-parser")]);
    agent = new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect: connector(undici, dialling) });
    return { createParser };
  }

  // undici never gives up a connection that is being made, so one that nobody waits for any more would keep the process alive.
  function leave(): void {
    waiting -= 1;
    if (waiting > 0) return;
    for (const socket of dialling) socket.destroy(new Error("Nobody waits for this connection any more."));
  }

  return {
    load() {
      loading ??= load().catch((cause: unknown) => {
        loading = undefined;
        throw new ConfigError("Could not load undici and eventsource-parser. Install the package anew.", { cause });
      });
      return loading;
    },
    send(request, handler) {
      let isWaiting = true;
      waiting += 1;
      agent?.dispatch(request, handler);
      return () => {
        if (isWaiting) leave();
        isWaiting = false;
      };
    },
  };
}

type Connect = ReturnType<typeof import("undici").buildConnector>;

/** undici's own way to connect, which remembers every socket until it stands or fails. */
function connector(undici: typeof import("undici"), dialling: Set<Dialling>): Connect {
  const connect = undici.buildConnector({ timeout: 0 });
  return (options, callback) => {
    // The types leave out what the function returns: the socket that is being connected.
    const socket = connect(options, (...result) => {
      dialling.delete(socket);
      callback(...result);
    }) as unknown as Dialling;
    dialling.add(socket);
  };
}
