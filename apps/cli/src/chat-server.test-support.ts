// A server that speaks the Chat API as far as a test of the command line needs it: it answers, in order, what it was given.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModuleReply } from "./desk.test-support.js";

export interface ChatServer {
  /** What `HARNESS_BASE_URL` holds for it. */
  readonly baseUrl: string;
  readonly target: string;
  /** What it was asked, in order. */
  readonly asked: readonly { readonly authorization: string | undefined; readonly body: { readonly model?: string } }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Each reply is given once; behind the last one it says that it is done. Names itself as `model`, else as what it is asked for. */
export async function chatServer(replies: readonly ModuleReply[], model?: string): Promise<ChatServer> {
  const asked: ChatServer["asked"][number][] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const reply = replies[asked.length] ?? { text: "Done." };
    asked.push({ authorization: request.headers.authorization, body });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(completion(reply, model ?? body.model)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    target: `127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function completion(
  { text = null, calls = [] }: { text?: string | null; calls?: ModuleReply["calls"] },
  model: string,
) {
  const tool_calls = calls.map(({ name, arguments: input }, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
  return {
    id: "chat-1",
    object: "chat.completion",
    model,
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
