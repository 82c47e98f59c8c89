// An endpoint of the Chat API on the loopback interface, for what only a request on the wire can show.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@harness/spec";

export interface Taken {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject | undefined;
}

export interface Endpoint extends AsyncDisposable {
  readonly baseUrl: string;
  readonly taken: readonly Taken[];
}

const completion = { choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] };

/** Answers completions with "Hi.", and a request for its catalogue with one model. */
export async function chatEndpoint(): Promise<Endpoint> {
  const taken: Taken[] = [];
  const server = createServer(async (incoming, response) => {
    const text = (await incoming.toArray()).join("");
    const { method, url: path, headers } = incoming;
    taken.push({ method, path, headers, body: text === "" ? undefined : JSON.parse(text) });
    const answer = method === "GET" ? { data: [{ id: "model-1" }] } : completion;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1/`,
    taken,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
