// Listeners that count who reaches them: on the loopback interface, on a unix socket, and on an abstract one where there are such.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { opening } from "./closers.js";

export interface SceneListeners extends AsyncDisposable {
  readonly tcp: { readonly port: number; hits(): number };
  /** Counts packets. */
  readonly udp: { readonly port: number; hits(): number };
  /** On the path given. */
  readonly unix: { hits(): number };
  /** `name` is without the zero byte before it. Empty where there are no abstract sockets. */
  readonly abstract: { readonly name: string; hits(): number };
}

/** Listens. Rejects when `path` is longer than a socket's may be. */
export async function openListeners(path: string, mark: string): Promise<SceneListeners> {
  return opening(async (closers) => {
    const tcp = closers.add(await counted((server) => server.listen(0, "127.0.0.1")));
    const unix = closers.add(await counted((server) => server.listen(path)));
    const name = process.platform === "linux" ? mark : "";
    const abstract = name ? closers.add(await counted((server) => server.listen(`\0${name}`))) : { hits: () => 0 };
    const udp = closers.add(await countedPackets());
    return { tcp, unix, udp, abstract: { name, hits: abstract.hits }, [Symbol.asyncDispose]: closers.closeAll };
  });
}

async function counted(listen: (server: Server) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.end("hello\n");
  });
  listen(server);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    hits: () => sockets.length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function countedPackets() {
  let hits = 0;
  const socket = createSocket("udp4");
  socket.on("message", () => (hits += 1));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    port: socket.address().port,
    hits: () => hits,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** Lets what the kernel holds for the listeners be counted: it was there before the command ended. */
export async function counting(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}
